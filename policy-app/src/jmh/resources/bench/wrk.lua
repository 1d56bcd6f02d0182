-- Sends the calls of a file one after the other, again and again. A line is: method path key body
local calls, last = {}, 0

function init(args)
  for line in io.lines(args[1]) do
    local method, path, key, body = line:match("^(%S+) (%S+) (%S+) ?(.*)$")
    local headers = { ["Authorization"] = "Bearer " .. key }
    if method == "POST" then
      headers["Content-Type"] = "application/json"
    else
      body = nil
    end
    calls[#calls + 1] = wrk.format(method, path, headers, body)
  end
end

function request()
  last = last % #calls + 1
  return calls[last]
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format("RESULT %d %d %d %d %d\n", summary.requests, summary.duration,
    e.connect + e.read + e.write + e.timeout + e.status, latency:percentile(50), latency:percentile(99)))
end
