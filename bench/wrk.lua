-- The request comes from the environment; headers from wrk's own options. Prints the figures as one line of JSON.
wrk.method = os.getenv('METHOD')
wrk.body = os.getenv('BODY')

function done(summary, latency)
  local errors = summary.errors
  local broken = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format('{"requests":%d,"seconds":%f,"p99Ms":%f,"bytes":%d,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(99) / 1e3, summary.bytes, errors.status, broken))
end
