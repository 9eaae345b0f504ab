import Glibc

/// The identity of the current boot of the machine.
enum BootIdentity {
  /// 16 bytes from the kernel; zero if the kernel does not provide them.
  static let current: RandomIdentity = {
    guard let file = fopen("/proc/sys/kernel/random/boot_id", "re") else {
      return RandomIdentity(first: 0, second: 0)
    }
    defer { fclose(file) }
    var digits: [UInt64] = []
    while digits.count < 32 {
      let character = fgetc(file)
      if character == EOF { break }
      switch UInt8(truncatingIfNeeded: character) {
      case let digit where digit >= 48 && digit <= 57: digits.append(UInt64(digit - 48))
      case let digit where digit >= 97 && digit <= 102: digits.append(UInt64(digit - 87))
      default: continue
      }
    }
    return RandomIdentity(
      first: digits.prefix(16).reduce(0) { $0 << 4 | $1 },
      second: digits.dropFirst(16).reduce(0) { $0 << 4 | $1 })
  }()
}
