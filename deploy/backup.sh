#!/bin/sh
# Makes backups, and removes all but the newest.
#
#   backup.sh FOLDER KEEP HOURS COMMAND...
#
# Runs COMMAND with the path of a new file as its last word unless FOLDER has a backup of the last HOURS, and then keeps the newest
# KEEP. Checks that every ten minutes until it is stopped; once if HOURS is 0.
set -eu

if [ $# -lt 4 ]; then
  echo "usage: $0 FOLDER KEEP HOURS COMMAND..." >&2
  exit 2
fi
folder=$1 keep=$2 hours=$3
shift 3
for number in "$keep" "$hours"; do
  case $number in
    '' | *[!0-9]*) echo "$0: KEEP and HOURS are whole numbers, not '$number'" >&2; exit 2 ;;
  esac
done
if [ "$keep" -eq 0 ]; then
  echo "$0: KEEP is at least 1" >&2
  exit 2
fi
umask 077
mkdir -p "$folder"

# The names sort by time. A file is renamed once it is whole, so one that was interrupted never counts.
backups() { find "$folder" -name 'candidate-profile-*.backup' "$@" | sort -r; }

back_up() {
  find "$folder" -name 'candidate-profile-*.part' -exec rm {} +
  file=$folder/candidate-profile-$(date -u +%Y%m%dT%H%M%SZ)
  if "$@" "$file.part"; then
    mv "$file.part" "$file.backup"
    backups | tail -n +$((keep + 1)) | while read -r old; do rm "$old"; done
  else
    echo "$0: no backup was made; those in $folder are kept" >&2
    return 1
  fi
}

if [ "$hours" -eq 0 ]; then
  back_up "$@"
  exit
fi

trap 'exit 0' TERM INT
while :; do
  # Five minutes less, so that a daily backup does not move by the length of the check each day.
  if [ -z "$(backups -mmin -$((hours * 60 - 5)))" ]; then back_up "$@" || :; fi
  # In the background, because the shell handles a signal only between commands.
  sleep 600 &
  wait $!
done
