import CVarve
import Glibc
import Synchronization

/// The size of the map. It changes only while no transaction of the process begins or writes.
extension Environment {
  /// What stays reserved beyond the pages in use, whatever the size.
  private static let reserve = 256 << 10

  /// Takes over the size that another process has given the file. Under `state`.
  ///
  /// - Returns: False when it cannot be done at this moment.
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

  /// Makes the map larger before a write begins, if it is half full or was full. With the write lock held.
  ///
  /// - Returns: Whether the readers that were killed are to be looked for: once a second, since what they have pinned
  ///   makes the file grow with every commit, and when the map was full.
  /// - Throws: `closed`; `mapFull` when a copy does not end in time; `addressSpaceExhausted` when the map was full and
  ///   there is no room for a larger one.
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
          .mapFull, "A copy kept the map from being made larger.", path: path)
      }
      usleep(1000)
    }
  }

  /// Makes the map larger, if that is needed.
  ///
  /// - Returns: False when it must be larger and cannot be made so at this moment.
  private func growNow(_ state: inout State) throws(StorageError) -> Bool {
    let used = usedBytes
    let mustGrow = state.mustGrow || used + Self.reserve > state.mapSize
    guard mustGrow || used > state.mapSize / 2 else { return true }
    // A map that is merely half full can wait for a better moment.
    guard mayResize(state) else { return !mustGrow }
    let factor = state.mustGrow ? 4 : 2
    let wanted = max(state.mapSize, used).multipliedReportingOverflow(by: factor)
    let size = max(wanted.overflow ? Int.max / 2 : wanted.partialValue, used + 4 * Self.reserve)
    if try resize(&state, to: size, orFail: mustGrow) { state.mustGrow = false }
    return true
  }

  /// Maps the file anew, with `size` bytes or as near to it as there is room for.
  ///
  /// When LMDB cannot map the new size it has already given up the old map. So the room is tried first.
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

  /// Lets LMDB remap the file. Must not run while a read transaction begins.
  ///
  /// When it fails LMDB has no map at all, and no transaction may begin any more.
  private func setMapSize(_ size: Int) -> Engine.Status {
    probe.withLock { _ in
      let status = engine.setMapSize(size)
      if status != 0 { isPanicked.store(true, ordering: .relaxed) }
      return status
    }
  }

  /// The bytes up to the last page in use. Under `state`.
  private var usedBytes: Int { (engine.lastPage + 1) * pageSize }

  /// Whether the map may be changed now. Snapshots are not in the way: they have mappings of their own.
  private func mayResize(_ state: State) -> Bool { !state.isWriting && state.copyCount == 0 }
}
