import CTestFaults
import CVarve
import Glibc
import VarveLocks
import VarveStorage

/// Commands for the tests of opening a store.
enum OpeningCommands {
  /// - Returns: Whether the command is one of these.
  static func run(_ command: String, _ path: String, _ numbers: [Int]) throws -> Bool {
    switch command {
    case "pinVersion": pinVersion(path, durability: numbers.first ?? 1)
    case "pinReadOnly": pinVersion(path, durability: 1, isReadOnly: true)
    case "lockOnThread":
      try onThread(numbers[0]) { try lock(path, timeout: .seconds(30)) }
    case "tryLockOnThread":
      try onThread(numbers[0]) { try lock(path, timeout: .milliseconds(numbers[1])) }
    case "openSlowly": openSlowly(path)
    case "stopCopies": stopCopies(path, rounds: numbers[0])
    case "createAndRemove": createAndRemove(path, rounds: numbers[0])
    case "openOften": openOften(path, rounds: numbers[0])
    case "openWithFileLimit": openWithFileLimit(path, numbers[0])
    case "openWithFailingLocks":
      openWithFailingLocks(path, command: Int32(numbers[0]), error: Int32(numbers[1]))
    default: return false
    }
    return true
  }

  private static func options(_ path: String) -> EnvironmentOptions {
    var options = EnvironmentOptions(path: path)
    options.durability = .none
    options.mapSize = 64 << 20
    options.maximumReaders = 128
    return options
  }

  /// Pins a version until the test continues. `durability`: 0 full, 1 none.
  private static func pinVersion(_ path: String, durability: Int, isReadOnly: Bool = false) {
    say(
      outcome {
        var options = options(path)
        options.durability = [.full, .none][durability]
        options.isReadOnly = isReadOnly
        let environment = try Environment.open(options)
        let snapshot = try environment.snapshot()
        say("pid \(getpid())")
        waitForTest()
        withExtendedLifetime(snapshot) {}
        try environment.close()
      })
  }

  /// Runs a body on a thread with the given id, in this PID namespace, and waits for its end.
  private static func onThread(
    _ wanted: Int, _ body: @escaping @Sendable () throws -> Void
  ) throws {
    final class Job: Sendable {
      let wanted: Int
      let body: @Sendable () throws -> Void
      init(_ wanted: Int, _ body: @escaping @Sendable () throws -> Void) {
        self.wanted = wanted
        self.body = body
      }
    }
    let job = Job(wanted, body)
    var last = 0
    while last < wanted {
      var thread = pthread_t()
      let failure = pthread_create(
        &thread, nil,
        { context in
          guard let context else { return nil }
          let job = Unmanaged<Job>.fromOpaque(context).takeRetainedValue()
          let id = Int(varve_thread_id())
          if id == job.wanted { say(outcome { try job.body() }) }
          return UnsafeMutableRawPointer(bitPattern: id)
        }, Unmanaged.passRetained(job).toOpaque())
      guard failure == 0 else { return say("no thread") }
      var result: UnsafeMutableRawPointer?
      pthread_join(thread, &result)
      last = Int(bitPattern: result)
    }
    if last != wanted { say("missed \(last)") }
  }

  /// Writes, and keeps the write lock until the test continues.
  private static func lock(_ path: String, timeout: Duration) throws {
    let environment = try Environment.open(options(path))
    defer { try? environment.close() }
    let transaction = try environment.beginWrite(timeout: timeout)
    do {
      try put(transaction, "locked", [1])
    } catch {
      transaction.abort()
      throw error
    }
    say("locked")
    waitForTest()
    _ = try transaction.commit()
  }

  /// Stays in the middle of the opening until the test continues.
  private static func openSlowly(_ path: String) {
    var options = options(path)
    options.shouldCompact = { _, _ in
      say("opening")
      waitForTest()
      return false
    }
    say(outcome { try Environment.open(options).close() })
  }

  /// Copies a store repeatedly, and stops each copy after a different number of parts.
  private static func stopCopies(_ path: String, rounds: Int) {
    say(
      outcome {
        let environment = try Environment.open(options(path))
        for round in 0..<rounds {
          let parts = Lock(round % 4)
          let observer = WorkObserver { _ in
            parts.withLock { parts in
              parts -= 1
              return parts >= 0
            }
          }
          let result = outcome { try environment.copy(to: path + "-copy", observer: observer) }
          guard result == "cancelled" else { return say("\(result) in round \(round)") }
        }
        try environment.close()
      })
  }

  private static func createAndRemove(_ path: String, rounds: Int) {
    var codes: Set<String> = []
    for round in 0..<rounds {
      codes.insert(
        outcome {
          if round % 3 == 0 {
            try Environment.open(options(path)).close()
          } else {
            _ = try Environment.remove(options(path))
          }
        })
    }
    say(codes.sorted().joined(separator: " "))
  }

  /// Opens and writes while each `fcntl` of a command fails.
  private static func openWithFailingLocks(_ path: String, command: Int32, error: Int32) {
    let failure = test_fail_fcntl(command, error)
    guard failure == 0 else { return say("no filter \(failure)") }
    say(
      outcome {
        let environment = try Environment.open(options(path))
        let transaction = try environment.beginWrite(timeout: .seconds(1))
        try put(transaction, "key", [1])
        _ = try transaction.commit()
        try environment.close()
      })
  }

  /// Opens and closes a store repeatedly.
  private static func openOften(_ path: String, rounds: Int) {
    var codes: Set<String> = []
    for _ in 0..<rounds { codes.insert(outcome { try Environment.open(options(path)).close() }) }
    say(codes.sorted().joined(separator: " "))
  }

  private static func openWithFileLimit(_ path: String, _ limit: Int) {
    varve_ignore_file_size_signal()
    var limits = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
    do throws(StorageError) {
      try Environment.open(options(path)).close()
      say("ok")
    } catch {
      say("\(error.code) \(error.detail)")
    }
  }
}
