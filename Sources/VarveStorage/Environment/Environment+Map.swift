import CVarve
import Glibc
import Synchronization
import VarveLocks

/// The size of the map. It changes only while no transaction of the process begins or writes.
extension Environment {
  /// The minimum reserve beyond the pages in use.
  private static let reserve = 256 << 10

  /// Adopts the map size that another process has set for the file. Under `state`.
  ///
  /// - Returns: False when the map cannot be changed at the moment.
  func adoptMapSize(_ state: inout State) throws(StorageError) -> Bool {
    guard mayResize(state), let mapping = state.mapping else { return false }
    let announced = max(
      mapping.base.u64(PageLayout.metaMapSize),
      (mapping.base + pageSize).u64(PageLayout.metaMapSize))
    guard
      try resize(
        &state, to: max(Int(clamping: announced), usedBytes + Self.reserve), orFail: true)
    else { return false }
    return true
  }

  /// Enlarges the map before a write begins, if it is half full or was full. The caller owns the
  /// write lock.
  ///
  /// - Returns: Whether to look for reader slots of killed processes: once a second, because the
  ///   versions they pin make the file grow with every commit, and when the map was full.
  /// - Throws: `closed`; `mapFull` when a copy does not end in time; `addressSpaceExhausted` when
  ///   the map was full and there is no room for a larger one.
  func growIfNeeded(_ limit: inout WaitLimit) throws(StorageError) -> Bool {
    while true {
      let isReaderCheckDue = try state.withLock { (state) throws(StorageError) -> Bool? in
        guard state.mapping != nil else { throw closedError }
        guard try growNow(&state) else { return nil }
        if let last = state.lastReaderCheck, limit.begin - last < .seconds(1), !state.mustGrow {
          return false
        }
        state.lastReaderCheck = limit.begin
        return true
      }
      if let isReaderCheckDue { return isReaderCheckDue }
      guard !limit.checkIsOver() else {
        throw StorageError(
          .mapFull, "A copy prevented the map from growing.", path: path)
      }
      usleep(1000)
    }
  }

  /// Enlarges the map if needed.
  ///
  /// - Returns: False when the map must be enlarged and cannot be at the moment.
  private func growNow(_ state: inout State) throws(StorageError) -> Bool {
    let used = usedBytes
    let mustGrow = state.mustGrow || used + Self.reserve > state.mapSize
    guard mustGrow || used > state.mapSize / 2 else { return true }
    // A map that is only half full can be enlarged later.
    guard mayResize(state) else { return !mustGrow }
    let factor = state.mustGrow ? 4 : 2
    let wanted = max(state.mapSize, used).multipliedReportingOverflow(by: factor)
    let size = max(wanted.overflow ? Int.max / 2 : wanted.partialValue, used + 4 * Self.reserve)
    if try resize(&state, to: size, orFail: mustGrow) { state.mustGrow = false }
    return true
  }

  /// Maps the file again, with `size` bytes or as close to it as the address space allows.
  ///
  /// When LMDB cannot map the new size, it has already unmapped the old map. The address space is
  /// therefore probed first.
  ///
  /// - Returns: False when there is no room and `orFail` is not set.
  private func resize(
    _ state: inout State, to size: Int, orFail: Bool
  ) throws(StorageError) -> Bool {
    var size = size & ~(pageSize - 1)
    while true {
      do throws(StorageError) {
        let mapping = try ReadMapping(
          descriptor: engine.fileDescriptor, byteCount: size, path: path)
        _ = try ReadMapping(descriptor: engine.fileDescriptor, byteCount: size, path: path)
        state.olderMappings.removeAll { $0.mapping == nil }
        state.olderMappings.append(WeakMapping(mapping: state.mapping))
        state.mapping = mapping
        break
      } catch {
        let smaller = size - (size - state.mapSize) / 2
        guard error.code == .addressSpaceExhausted, smaller > state.mapSize + state.mapSize / 8
        else {
          if !orFail { return false }
          throw error
        }
        size = smaller & ~(pageSize - 1)
      }
    }
    state.room = nil
    let status = setMapSize(size)
    guard status == 0 else { throw error(status, "The map was lost.") }
    state.mapSize = size
    return true
  }

  /// Remaps the file with LMDB. Must not run while a read transaction begins.
  ///
  /// When this fails, LMDB has no map at all, and no transaction may begin any more.
  private func setMapSize(_ size: Int) -> Engine.Status {
    probe.withLock { _ in
      let status = engine.setMapSize(size)
      if status != 0 { isPanicked.store(true, ordering: .relaxed) }
      return status
    }
  }

  /// The number of bytes up to the last page in use. Under `state`.
  private var usedBytes: Int { (engine.lastPage + 1) * pageSize }

  /// Whether the map may be changed now. Snapshots do not prevent it: they have mappings of their
  /// own.
  private func mayResize(_ state: State) -> Bool { !state.isWriting && state.copyCount == 0 }
}
