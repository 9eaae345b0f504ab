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
