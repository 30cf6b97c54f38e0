-- The request comes from the environment; headers from wrk's own options. Prints the figures as one line of JSON.
wrk.method = os.getenv('METHOD')
wrk.body = os.getenv('BODY')

-- Each request has a text of its own instead of [<id>], which is autocannon's placeholder.
if wrk.body and wrk.body:find('[<id>]', 1, true) then
  local template, run, sent = wrk.body, os.time(), 0
  function request()
    sent = sent + 1
    return wrk.format(nil, nil, nil, (template:gsub('%[<id>%]', run .. '-' .. sent)))
  end
end

-- Each connection waits a random time before each request, so that a slow answer does not hold up those of the others.
local pause = tonumber(os.getenv('PAUSE_MS'))
if pause then
  function delay()
    return math.random(0, 2 * pause)
  end
end

function done(summary, latency)
  local errors = summary.errors
  local broken = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format('{"requests":%d,"seconds":%f,"p99Ms":%f,"maxMs":%f,"bytes":%d,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(99) / 1e3, latency.max / 1e3, summary.bytes,
    errors.status, broken))
end
