-- wrk -s validate.lua ADDRESS -- KEYS: asks "may I buy?" with one key after the other, and says what was answered.
local body = '{"action":"buy","assetSymbol":"SPY","assetType":"tradfi","amountUsd":1}'
local requests = {}
local place = 0

function init(args)
  for key in io.lines(args[1]) do
    local headers = { ["Authorization"] = "Bearer " .. key, ["Content-Type"] = "application/json" }
    requests[#requests + 1] = wrk.format("POST", "/api/agent/v1/policy/validate", headers, body)
  end
  place = math.random(#requests)
end

function request()
  place = place % #requests + 1
  return requests[place]
end

function done(summary, latency)
  io.write(string.format("%.0f %.2f %.2f %d\n", summary.requests / summary.duration * 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, summary.errors.status))
end
