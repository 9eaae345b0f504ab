import CVarve
import Glibc
import VarveLocks

/// A copy of a file by LMDB, written part by part, so that it can be observed and stopped.
///
/// LMDB writes a whole copy to a descriptor and reports nothing before it is complete. It therefore
/// writes to a socket, on a thread of its own, and the caller writes the data received from the
/// other socket to the file.
///
/// A copy is stopped by replacing the file behind LMDB's descriptor with one that cannot be
/// written: LMDB's next write then fails with EBADF. LMDB must not get EPIPE: its compacting thread
/// then waits for SIGPIPE, and hangs if there is none. A socket that is shut down while a write
/// waits for room gives EPIPE without the signal, and a pending signal is discarded when another
/// thread sets it to be ignored.
struct EngineCopy {
  let engine: Engine
  /// Whether to omit free pages.
  let isCompacting: Bool
  let observer: WorkObserver?

  /// LMDB's result, once its thread has ended.
  private final class Outcome: Sendable {
    let status = Lock<Engine.Status?>(nil)

    func end(_ result: Engine.Status) {
      status.withLock { $0 = result }
      status.notify()
    }
  }

  /// The number of bytes written at once.
  private static let partSize = 1 << 20

  /// Writes the copy, durably.
  ///
  /// - Parameters:
  ///   - target: An empty file.
  ///   - path: The path of the target.
  /// - Returns: LMDB's result: 0, or why the copy is incomplete.
  /// - Throws: `cancelled` when the observer stops it, `diskFull`, or a system error.
  func write(
    to target: borrowing OpenFile, path: String
  ) throws(StorageError) -> Engine.Status {
    let sockets = try SocketPair(path: path)
    let outcome = Outcome()
    let (engine, isCompacting) = (engine, isCompacting)
    try OwnThread.start("varve.copy") {
      Self.blockSignals()
      let status = engine.copy(to: sockets.writing, compacting: isCompacting)
      sockets.end()
      outcome.end(status)
    }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.partSize, alignment: 4096)
    defer { buffer.deallocate() }
    do throws(StorageError) {
      try forward(from: sockets, to: target, path: path, buffer)
    } catch {
      sockets.stopWriting()
      while sockets.receive(buffer) > 0 {}
      _ = outcome.status.wait { $0 }
      throw error
    }
    let status = outcome.status.wait { $0 }
    guard status == 0 else { return status }
    // A copy that is not compacted has the meta pages of the file, which may be those of an
    // unfinished commit; and LMDB copies the bytes of a mark (`mm_address`) even when it compacts.
    try UnfinishedCommit.remove(fromCopy: path, isCompacted: isCompacting)
    try target.sync(path: path)
    return 0
  }

  /// LMDB does not retry a write that a signal has interrupted. Its own thread inherits the mask.
  private static func blockSignals() {
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Writes the data received from the socket to the file, to its end.
  private func forward(
    from sockets: SocketPair, to target: borrowing OpenFile, path: String,
    _ buffer: UnsafeMutableRawBufferPointer
  ) throws(StorageError) {
    var progress = CopyProgress(completedBytes: 0, totalBytes: 0)
    while true {
      let count = sockets.receive(buffer)
      try StorageError.check(count >= 0, path: path, "The copy could not be read.")
      if count == 0 { return }
      try target.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), path: path)
      if progress.completedBytes == 0 {
        // The first part contains the head.
        progress.totalBytes = (try? DataFile(target, path: path).versionBytes) ?? count
        try observer?.note(progress, path: path)
      }
      progress.completedBytes += count
      progress.totalBytes = max(progress.totalBytes, progress.completedBytes)
      try observer?.note(progress, path: path)
    }
  }
}

/// A socket pair: data written to one is read from the other.
///
/// Thread safety: one thread writes and ends, another receives and stops.
private final class SocketPair: Sendable {
  /// The socket that LMDB writes to.
  let writing: Int32
  private let reading: Int32
  /// The descriptor that replaces ``writing`` when the copy is stopped. It is opened in advance,
  /// because no descriptor may be free then.
  private let unwritable: Int32

  init(path: String) throws(StorageError) {
    var pair: (Int32, Int32) = (-1, -1)
    let result = withUnsafeMutablePointer(to: &pair) { pair in
      pair.withMemoryRebound(to: Int32.self, capacity: 2) { sockets in
        socketpair(
          AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, sockets)
      }
    }
    try StorageError.check(result == 0, path: path, "The copy could not be started.")
    (writing, reading) = pair
    unwritable = varve_open_unwritable()
    guard unwritable >= 0 else {
      throw StorageError.system(-unwritable, path: path, "The copy could not be started.")
    }
  }

  /// Fills a buffer.
  ///
  /// - Returns: The number of bytes, which is less than the size of the buffer only at the end;
  ///   negative with an error in `errno`.
  func receive(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    var count = 0
    while count < buffer.count {
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      let received = recv(reading, room.baseAddress, room.count, Int32(MSG_WAITALL))
      if received < 0, errno == EINTR { continue }
      if received < 0 { return received }
      if received == 0 { break }
      count += received
    }
    return count
  }

  /// Signals the end of the data to the reader. This uses the reading socket, because the other
  /// descriptor may have been replaced.
  func end() { shutdown(reading, Int32(SHUT_RD)) }

  /// Makes further writes fail. A write that has begun continues, so its data must be received.
  func stopWriting() { _ = varve_replace_descriptor(writing, unwritable) }

  deinit {
    for descriptor in [writing, reading, unwritable] where descriptor >= 0 { close(descriptor) }
  }
}
