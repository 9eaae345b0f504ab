import Dispatch
import Foundation

/// The raw mode of a terminal: keys arrive one by one, and are not shown.
struct RawMode {
  private let descriptor: Int32
  private let original: termios

  /// - Returns: Nil if the descriptor is not a terminal.
  init?(_ descriptor: Int32) {
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else { return nil }
    self.descriptor = descriptor
    original = settings
  }

  /// Restores the terminal when SIGTERM or SIGHUP ends the process.
  ///
  /// - Returns: The sources of the signals, to be cancelled.
  func restoringAtEnd() -> [any DispatchSourceSignal] {
    [SIGTERM, SIGHUP].map { [descriptor, original] number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        var original = original
        tcsetattr(descriptor, TCSANOW, &original)
        exit(128 + number)
      }
      source.resume()
      return source
    }
  }

  /// Runs a body in raw mode.
  func run<R>(_ body: () throws -> R) rethrows -> R {
    var settings = original
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    settings.c_iflag &= ~tcflag_t(IXON | ICRNL)
    tcsetattr(descriptor, TCSADRAIN, &settings)
    defer {
      var original = original
      tcsetattr(descriptor, TCSADRAIN, &original)
    }
    return try body()
  }
}
