// A second process for the tests of VarveStorage and Varve. It is started with a command, reports
// its progress on standard output, and waits on standard input for the test to continue.

import CVarve
import Glibc
import VarveStorage

var arguments = Array(CommandLine.arguments.dropFirst())
if arguments.count > 2, arguments[0] == "asUser", let user = UInt32(arguments[1]) {
  setgid(user)
  setuid(user)
  arguments.removeFirst(2)
}
guard arguments.count >= 2 else { exit(2) }
if let mutant = getenv("VARVE_COMMIT_MUTANT").map({ String(cString: $0) }) {
  CommitMutant.current = CommitMutant(rawValue: mutant)
  guard CommitMutant.current != nil else { exit(2) }
}
let command = arguments[0]
let path = arguments[1]
let rest = arguments.dropFirst(2).compactMap { Int($0) }

var options = EnvironmentOptions(path: path)
options.durability = .none
options.mapSize = 64 << 20
options.maximumReaders = 128
options.isReadOnly = command.hasSuffix("ReadOnly")

/// Prints a line to the test immediately.
@Sendable func say(_ words: String...) {
  let line = Array((words.joined(separator: " ") + "\n").utf8)
  _ = line.withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
}

/// Waits for a line from the test.
@Sendable func waitForTest() { _ = readLine() }

/// Returns "ok", or the code of the error that a body throws.
func outcome(_ body: () throws -> Void) -> String {
  do {
    try body()
    return "ok"
  } catch let error as StorageError {
    return "\(error.code)"
  } catch {
    return "unknown"
  }
}

/// The number of mappings of a file in this process.
func mappingCount(of path: String) -> Int {
  guard let maps = fopen("/proc/self/maps", "r") else { return -1 }
  defer { fclose(maps) }
  var line: UnsafeMutablePointer<CChar>?
  var capacity = 0
  defer { free(line) }
  var count = 0
  while getline(&line, &capacity, maps) > 0, let line {
    if String(cString: line).hasSuffix(path + "\n") { count += 1 }
  }
  return count
}

func write(
  _ environment: Environment, _ body: (WriteTransaction) throws -> Void
) throws -> Snapshot {
  let transaction = try environment.beginWrite(timeout: .seconds(30))
  do {
    try body(transaction)
  } catch {
    transaction.abort()
    throw error
  }
  return try transaction.commit()
}

func put(_ transaction: WriteTransaction, _ key: String, _ value: [UInt8]) throws {
  try Array(key.utf8).withUnsafeBytes { key in
    try value.withUnsafeBytes { try transaction.put(.catalog, key: key, $0) }
  }
}

func find(_ reader: any TableReader, _ key: String) -> [UInt8]? {
  Array(key.utf8).withUnsafeBytes { reader.find(.catalog, key: $0).map { Array($0) } }
}

if try OpeningCommands.run(command, path, rest) { exit(0) }
if try MemoryCommands.run(command, path, rest) { exit(0) }
if try RealmWriteCommands.run(command, path: path, rest) { exit(0) }
if try FaultCommands.run(command, path: path, Array(arguments.dropFirst(2))) { exit(0) }
if KillCommands.run(command, path: path, Array(arguments.dropFirst(2))) { exit(0) }

switch command {
case "open", "openReadOnly":
  var text = ""
  say(
    outcome {
      let environment = try Environment.open(options)
      text =
        find(try environment.snapshot(), "key").map { String(decoding: $0, as: UTF8.self) } ?? "-"
      if environment.isPrivateCopy { text += " copy" }
      waitForTest()
      try environment.close()
    }, text)

case "create":
  say("ready")
  waitForTest()
  say(
    outcome {
      let environment = try Environment.open(options)
      _ = try write(environment) { try put($0, "process \(getpid())", [1]) }
      try environment.close()
    })

case "commit":
  // Commits, and checks each time whether the version after the commit is its own.
  let environment = try Environment.open(options)
  say("ready")
  waitForTest()
  var strangers = 0
  for number in 0..<(rest.first ?? 1) {
    let value = withUnsafeBytes(of: number) { Array($0) }
    var base: UInt64 = 0
    let snapshot = try write(environment) { transaction in
      base = transaction.base.version.counter
      try put(transaction, "last", value + [UInt8(truncatingIfNeeded: getpid())])
      try put(transaction, "process \(getpid())", value)
    }
    if find(snapshot, "process \(getpid())") != value || snapshot.version.counter != base + 1
      || find(snapshot, "last") != value + [UInt8(truncatingIfNeeded: getpid())]
    {
      strangers += 1
    }
  }
  try environment.close()
  say("strangers \(strangers)")

case "hold":
  let environment = try Environment.open(options)
  let transaction = try environment.beginWrite(timeout: .seconds(30))
  try put(transaction, "held", [1])
  say("held")
  waitForTest()
  transaction.abort()
  try environment.close()
  say("released")

case "pin":
  let environment = try Environment.open(options)
  let snapshot = try environment.snapshot()
  say("pinned")
  waitForTest()
  say("\(snapshot.transactionID)")

case "wait", "waitReadOnly":
  // Waits for a commit of another process.
  let environment = try Environment.open(options)
  let known = environment.commitSignal.sequence
  let before = try environment.snapshot().version.counter
  say("waiting")
  let start = ContinuousClock.now
  _ = environment.commitSignal.wait(after: known, timeout: .seconds(60))
  let wasWoken = ContinuousClock.now - start < .seconds(30)
  let after = try environment.snapshot().version.counter
  say(!wasWoken ? "late" : after > before ? "moved" : "same")

case "fork":
  let environment = try Environment.open(options)
  let snapshot = try environment.snapshot()
  let transaction = try environment.beginWrite(timeout: .seconds(5))
  let child = varve_fork()
  if child == 0 {
    say(outcome { _ = try environment.snapshot() })
    say(outcome { _ = try environment.beginWrite(timeout: .seconds(1)) })
    say(outcome { try put(transaction, "child", [1]) })
    say(outcome { _ = try transaction.commit() })
    say(outcome { try environment.close() })
    say(outcome { _ = try Environment.open(options) })
    _exit(0)
  }
  var status: Int32 = 0
  waitpid(child, &status, 0)
  say(
    outcome {
      try put(transaction, "parent", [1])
      _ = try transaction.commit()
      _ = snapshot.count(.catalog)
    })

case "fileLimit":
  // Reaches a limit of the file size, which simulates a full disk.
  let environment = try Environment.open(options)
  var limit = rlimit(rlim_cur: UInt(rest.first ?? 0), rlim_max: rlim_t.max)
  setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  let chunk = [UInt8](repeating: 7, count: 100_000)
  say(
    outcome {
      for number in 0..<100 {
        _ = try write(environment) { try put($0, "chunk \(number)", chunk) }
      }
    })
  limit.rlim_cur = rlim_t.max
  setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  say(outcome { _ = try write(environment) { try put($0, "after", [1]) } })
  say(outcome { try StructureWalk.check(try environment.snapshot()) })

case "openFull":
  // Opens a file with another history, which must then be written to and cannot grow.
  var file = stat()
  stat(path, &file)
  var limit = rlimit(rlim_cur: UInt(file.st_size), rlim_max: rlim_t.max)
  setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  options.maximumReaders = 8
  for _ in 0..<3 { say(outcome { _ = try Environment.open(options) }) }
  limit.rlim_cur = rlim_t.max
  setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  say("\(mappingCount(of: path)) mappings")
  say(
    outcome {
      let environment = try Environment.open(options)
      _ = try write(environment) { try put($0, "key", [1]) }
      try environment.close()
    })

case "addressLimit":
  // Less address space is left than is reserved by default.
  var pages = 0
  if let file = fopen("/proc/self/statm", "r") {
    var text = [CChar](repeating: 0, count: 64)
    fgets(&text, 64, file)
    fclose(file)
    pages = atol(text)
  }
  var limit = rlimit(rlim_cur: UInt(pages * 4096 + 6 << 30), rlim_max: rlim_t.max)
  setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
  options.mapSize = nil
  var size = 0
  say(
    outcome {
      let environment = try Environment.open(options)
      _ = try write(environment) { try put($0, "key", [1]) }
      size = environment.mapSize
      try environment.close()
    }, size > 0 && size < 16 << 30 ? "smaller" : "\(size)")

case "holdInMemory":
  options.isInMemory = true
  let environment = try Environment.open(options)
  _ = try write(environment) { try put($0, "key", [1]) }
  say(environment.path)
  waitForTest()

case "leaveUnclean":
  // Ends without closing.
  let environment = try Environment.open(options)
  _ = try write(environment) { try put($0, "key", Array("value".utf8)) }
  say("committed")
  kill(getpid(), SIGKILL)

case "holdChecked":
  let environment = try Environment.open(options)
  _ = try write(environment) { try put($0, "key", Array("value".utf8)) }
  say("committed")
  waitForTest()
  try environment.close()

default:
  let isKnown =
    try RealmWriteCommands.run(command, path: path, rest)
    || ViewCommands.run(command, path: path, rest)
    || SchemaCommands.run(command, path: path, rest)
    || DefaultCommands.run(command, path: path, rest)
    || MigrationCommands.run(command, path: path)
    || ForkCommands.run(command, path: path)
    || WatchCommands.run(command, path: path, rest)
    || SoakCommands.run(command, path: path, rest)
    || DamageCommands.run(command, path: path, rest)
  if !isKnown { exit(2) }
}
