-- The requests of one connection: wrk -s requests.lua URL -- KIND TASKS SEED
-- KIND: id, list, search, create or mixed. TASKS: the number of stored tasks.

local thread_count = 0

function setup(thread)
  thread_count = thread_count + 1
  thread:set("number", thread_count)
end

function init(arguments)
  kind = arguments[1]
  tasks = tonumber(arguments[2])
  math.randomseed(tonumber(arguments[3]) * 100 + number)
end

local function word() return string.format("word%03d", math.random(0, 999)) end

local make = {
  id = function() return wrk.format("GET", "/tasks/" .. math.random(1, tasks)) end,
  list = function() return wrk.format("GET", "/tasks?limit=50&after=" .. math.random(0, tasks - 50)) end,
  search = function() return wrk.format("GET", "/tasks/search?limit=50&q=" .. word()) end,
  create = function()
    local title = word() .. " " .. word() .. " " .. word() .. " " .. word()
    return wrk.format(
      "POST", "/tasks", { ["Content-Type"] = "application/json" },
      '{"title": "' .. title .. '", "notes": "from the load test"}')
  end,
}

function make.mixed()
  local choice = math.random(1, 100)
  if choice <= 80 then return make.id() end
  if choice <= 90 then return make.list() end
  if choice <= 95 then return make.search() end
  return make.create()
end

function request() return make[kind]() end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    "result %.1f %.3f %.3f %d", summary.requests / (summary.duration / 1e6),
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
