import Foundation

/// A command of this program in a process of its own, so that an interrupt ends the command and not
/// the shell.
enum ChildCommand {
  enum Outcome: Equatable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  /// Runs a command and waits for its end.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the program.
  ///   - readsInput: Whether the command has the standard input; otherwise its input is empty.
  /// - Throws: ``ToolError`` when the process cannot be started.
  static func run(_ arguments: [String], readsInput: Bool) throws(ToolError) -> Outcome {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    if !readsInput {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    // The shell ignores interrupts, and its parent may block them. Its children would inherit both.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

    var strings = (["varve"] + arguments).map { strdup($0) }
    strings.append(nil)
    var environment = ProcessInfo.processInfo.environment.map { strdup("\($0)=\($1)") }
    environment.append(nil)
    defer { for string in strings + environment { free(string) } }
    // A parent that ignores the signal would leave no status to wait for.
    signal(SIGCHLD, SIG_DFL)
    var process: pid_t = 0
    let status = posix_spawn(
      &process, "/proc/self/exe", &actions, &attributes, strings, environment)
    guard status == 0 else {
      throw ToolError("The command could not be started.\n  \(String(cString: strerror(status)))")
    }
    var result: Int32 = 0
    while waitpid(process, &result, 0) < 0 {
      guard errno == EINTR else {
        throw ToolError("The end of the command is unknown.\n  \(String(cString: strerror(errno)))")
      }
    }
    // The macros WIFEXITED, WEXITSTATUS and WTERMSIG are not imported.
    let number = result & 0x7F
    return number == 0 ? .exited(result >> 8 & 0xFF) : .killed(signal: number)
  }
}
