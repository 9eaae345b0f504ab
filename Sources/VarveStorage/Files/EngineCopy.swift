import CVarve
import Glibc

/// LMDB's copy of a file, written part by part, so that it can be followed and stopped.
///
/// LMDB writes a whole copy to a descriptor and reports nothing before it is done. So it writes to a socket, on a thread
/// of its own, and the caller writes what the other socket receives to the file.
///
/// A copy is stopped by replacing the file behind LMDB's descriptor with one that cannot be written: LMDB's next write
/// then fails with EBADF. LMDB must not get EPIPE: its compacting thread then waits for SIGPIPE, for ever if there is
/// none. A socket that is shut down while a write waits for room gives EPIPE without the signal, and a pending signal
/// is discarded when another thread sets it to be ignored.
struct EngineCopy {
  let engine: Engine
  /// Leaves free pages out.
  let isCompacting: Bool
  let observer: CopyObserver?

  /// LMDB's result, once its thread has ended.
  private final class Outcome: Sendable {
    let status = Lock<Engine.Status?>(nil)

    func end(_ result: Engine.Status) {
      status.withLock { $0 = result }
      status.notify()
    }
  }

  /// How many bytes are written at once.
  private static let partSize = 1 << 20

  /// Writes the copy, durably.
  ///
  /// - Parameters:
  ///   - target: An empty file.
  ///   - path: Its path.
  /// - Returns: What LMDB returns: 0, or why the copy is not whole.
  /// - Throws: `cancelled` when the observer stops it, `diskFull`, or what the system reports.
  func write(
    to target: borrowing OpenFile, path: String
  ) throws(StorageError) -> Engine.Status {
    let sockets = try SocketPair(path: path)
    let outcome = Outcome()
    let (engine, isCompacting) = (engine, isCompacting)
    let (reading, writing) = (sockets.reading, sockets.writing)
    try OwnThread.start("varve.copy") {
      let status = engine.copy(to: writing, compacting: isCompacting)
      // By way of the reading socket: the other descriptor may have been replaced.
      shutdown(reading, Int32(SHUT_RD))
      outcome.end(status)
    }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.partSize, alignment: 4096)
    defer { buffer.deallocate() }
    do throws(StorageError) {
      try forward(from: reading, to: target, path: path, buffer)
    } catch {
      // Without a free descriptor, the whole copy is received and discarded.
      _ = varve_replace_by_unwritable(writing)
      while receive(from: reading, buffer) > 0 {}
      _ = outcome.status.wait { $0 }
      throw error
    }
    let status = outcome.status.wait { $0 }
    if status == 0 { try target.sync(path: path) }
    return status
  }

  /// Writes to the file what comes from the socket, to its end.
  private func forward(
    from socket: Int32, to target: borrowing OpenFile, path: String,
    _ buffer: UnsafeMutableRawBufferPointer
  ) throws(StorageError) {
    var progress = CopyProgress(completedBytes: 0, totalBytes: 0)
    while true {
      let count = receive(from: socket, buffer)
      try StorageError.check(count < 0 ? errno : 0, path: path, "The copy could not be read.")
      if count == 0 { return }
      try target.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), path: path)
      if progress.completedBytes == 0 {
        // The first part has the head.
        progress.totalBytes = (try? DataFile(path: path).versionBytes) ?? count
        try observer?.note(progress, path: path)
      }
      progress.completedBytes += count
      progress.totalBytes = max(progress.totalBytes, progress.completedBytes)
      try observer?.note(progress, path: path)
    }
  }
}

/// Fills a buffer from a socket.
///
/// - Returns: The number of bytes: fewer than the buffer holds only at the end. Below 0 when `errno` says why.
private func receive(from socket: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  while true {
    let count = recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_WAITALL))
    if count >= 0 || errno != EINTR { return count }
  }
}

/// Two sockets: what is written to one is read from the other.
private struct SocketPair: ~Copyable {
  let writing: Int32
  let reading: Int32

  init(path: String) throws(StorageError) {
    var pair: (Int32, Int32) = (-1, -1)
    let result = withUnsafeMutablePointer(to: &pair) { pair in
      pair.withMemoryRebound(to: Int32.self, capacity: 2) { sockets in
        socketpair(
          AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, sockets)
      }
    }
    try StorageError.check(result == 0 ? 0 : errno, path: path, "The copy could not be begun.")
    (writing, reading) = pair
  }

  deinit {
    close(writing)
    close(reading)
  }
}
