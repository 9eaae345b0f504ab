package import Glibc

/// Waits until a thread sleeps, that is, until it waits for an event that has not occurred yet.
///
/// - Parameters:
///   - thread: The thread id, from ``threadID()``. The id of the main thread is the process id.
///   - process: The process of the thread.
package func waitUntilAsleep(_ thread: pid_t, in process: pid_t = getpid()) {
  while state(thread, in: process) != UInt8(ascii: "S") { usleep(500) }
}

/// The id of the calling thread.
package func threadID() -> pid_t {
  // "<process>/task/<thread>": Swift cannot call the C library's function.
  var buffer = [CChar](repeating: 0, count: 64)
  let count = readlink("/proc/thread-self", &buffer, buffer.count)
  let path = String(
    decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  return path.split(separator: "/").last.flatMap { pid_t($0) } ?? 0
}

/// The letter of the thread's state; nil when the thread has ended.
private func state(_ thread: pid_t, in process: pid_t) -> UInt8? {
  guard let file = fopen("/proc/\(process)/task/\(thread)/stat", "r") else { return nil }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 256)
  let count = fread(&bytes, 1, bytes.count, file)
  // After the name, which is in parentheses.
  guard let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")), end + 2 < count else {
    return nil
  }
  return bytes[end + 2]
}
