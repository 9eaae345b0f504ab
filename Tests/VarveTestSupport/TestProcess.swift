package import Glibc
import VarveLocks

/// A child process that runs `VarveTestProcess`, with pipes to and from it.
package final class TestProcess {
  package let pid: pid_t
  private let input: Int32
  private let output: UnsafeMutablePointer<FILE>?
  /// The status of its end; nil before.
  private var status: Int32?

  /// Starts the process.
  ///
  /// - Parameters:
  ///   - arguments: The command and its arguments.
  ///   - launcher: A command that runs the command after it.
  ///   - environment: Variables in addition to those of this process.
  package init(
    _ arguments: [String], launcher: [String] = [], environment: [String] = []
  ) {
    // A write to a child that has ended must not kill this process.
    signal(SIGPIPE, SIG_IGN)
    (pid, input, output) = Self.spawning.withLock { _ in
      Self.spawn(launcher + [Self.executable] + arguments, environment: environment)
    }
  }

  /// Processes start one at a time: a child must not inherit the pipes of another one.
  private static let spawning = Lock<Void>(())

  private static func spawn(
    _ command: [String], environment: [String]
  ) -> (pid_t, Int32, UnsafeMutablePointer<FILE>?) {
    var toChild: [Int32] = [0, 0]
    var fromChild: [Int32] = [0, 0]
    pipe(&toChild)
    pipe(&fromChild)
    for descriptor in [toChild[1], fromChild[0]] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
    posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
    for descriptor in toChild + fromChild where descriptor > 1 {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    // The threads of Swift Testing block signals, and a child inherits the mask: its `alarm` would
    // never end it.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
    words.append(nil)
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) }
    var inherited = environ
    while let variable = inherited.pointee {
      variables.append(strdup(variable))
      inherited += 1
    }
    variables.append(nil)
    var child: pid_t = 0
    let failure = posix_spawnp(&child, command[0], &actions, &attributes, words, variables)
    precondition(failure == 0, "\(command[0]) does not start: build all tests.")
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
    for word in words + variables { free(word) }
    close(toChild[0])
    close(fromChild[1])
    return (child, toChild[1], fdopen(fromChild[0], "r"))
  }

  deinit {
    if status == nil {
      Glibc.kill(pid, SIGKILL)
      _ = wait()
    }
    close(input)
    if let output { fclose(output) }
  }

  /// The executable: that of the variable `VARVE_TEST_PROCESS`, or the one next to the executable
  /// that runs the tests.
  private static let executable: String = {
    if let path = getenv("VARVE_TEST_PROCESS") { return String(cString: path) }
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let path = String(
      decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let directory = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return directory.joined(separator: "/") + "/VarveTestProcess"
  }()

  /// The next line that the process prints; nil at its end.
  package func line() -> String? {
    var text: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(text) }
    guard let output, getline(&text, &capacity, output) > 0, let text else { return nil }
    return String(cString: text).trimmingNewline()
  }

  /// The lines that the process prints until its end.
  package func lines() -> [String] {
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    return lines
  }

  /// Sends the process a line, so that it continues.
  package func go() { send("") }

  /// Sends the process a line of text.
  package func send(_ line: String) {
    var bytes = Array((line + "\n").utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      // The process has ended, which its next line shows.
      if count <= 0 { return }
      bytes = bytes.dropFirst(count)
    }
  }

  /// Kills the process, and waits for its end.
  package func kill() {
    Glibc.kill(pid, SIGKILL)
    _ = wait()
  }

  /// Waits for the end of the process.
  @discardableResult
  package func wait() -> Int32 {
    if let status { return status }
    var result: Int32 = 0
    waitpid(pid, &result, 0)
    status = result
    return result
  }

  /// The status of the end of the process, without waiting; nil while it runs.
  package func statusIfEnded() -> Int32? {
    var result: Int32 = 0
    if status == nil, waitpid(pid, &result, WNOHANG) == pid { status = result }
    return status
  }
}

extension String {
  fileprivate func trimmingNewline() -> String {
    hasSuffix("\n") ? String(dropLast()) : self
  }
}
