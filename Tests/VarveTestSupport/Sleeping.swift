package import Glibc

/// Waits until a thread sleeps: it waits for something that has not come yet.
///
/// - Parameters:
///   - thread: As ``threadID()`` gives it; the main thread's is the process's.
///   - process: The thread's process.
package func waitUntilAsleep(_ thread: pid_t, in process: pid_t = getpid()) {
  while state(thread, in: process) != UInt8(ascii: "S") { usleep(500) }
}

/// The id of the calling thread.
package func threadID() -> pid_t {
  // "<process>/task/<thread>": the C library's function is hidden from Swift.
  var buffer = [CChar](repeating: 0, count: 64)
  let count = readlink("/proc/thread-self", &buffer, buffer.count)
  let path = String(
    decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  return path.split(separator: "/").last.flatMap { pid_t($0) } ?? 0
}

/// The letter of the thread's state; nil when it has ended.
private func state(_ thread: pid_t, in process: pid_t) -> UInt8? {
  guard let file = fopen("/proc/\(process)/task/\(thread)/stat", "r") else { return nil }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 256)
  let count = fread(&bytes, 1, bytes.count, file)
  // After the name, which stands in brackets.
  guard let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")), end + 2 < count else {
    return nil
  }
  return bytes[end + 2]
}
