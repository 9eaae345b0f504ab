import Glibc

/// LMDB's own map of the data file, where snapshots are read through LMDB.
///
/// What LMDB hands out lies in its map, and `mdb_env_set_mapsize` puts another map in its place. So each
/// read of a snapshot through LMDB, and each change of the map, is made under the lock of this object; and
/// the bytes that leave a read are those at the same place of the file in the snapshot's own mapping,
/// which stays. Reads in a write transaction, and those made under the environment's `state`, need no
/// lock: the map does not change meanwhile.
///
/// The lock is taken last: who holds it waits for nothing else, `state` above all.
///
/// Thread safety: any thread.
final class EngineMap: Sendable {
  private struct Content {
    /// Where the first byte of the file lies; nil until somebody reads through a new map.
    var origin: UInt?
    /// How often the map has changed.
    var generation: UInt = 0
    /// LMDB gave up its map and could not make another one.
    var isLost = false
  }

  private let content: Lock<Content>
  /// Read under `content` only.
  private let maps: ProcessMaps

  /// LMDB's map during one read.
  struct Window {
    /// Pointers that LMDB took while there was another generation lead nowhere.
    let generation: UInt
    fileprivate let origin: UInt
    fileprivate let mapping: ReadMapping

    /// The bytes of the file that LMDB has handed out, in the snapshot's own mapping.
    ///
    /// - Returns: The bytes; nil when they do not lie in the file. They have not been touched then.
    func own(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
      mapping.bytes(at: UInt(bitPattern: bytes.baseAddress) &- origin, count: bytes.count)
    }
  }

  /// Makes sure that the map can be found.
  ///
  /// - Parameters:
  ///   - root: The root record, as LMDB has just handed it out.
  ///   - path: The data file.
  /// - Throws: `io` when it cannot.
  init(root: UnsafeRawBufferPointer, path: String) throws(StorageError) {
    maps = try ProcessMaps()
    guard let origin = maps.origin(of: UInt(bitPattern: root.baseAddress)) else {
      throw StorageError(.io, "The map of the store was not found.", path: path)
    }
    content = Lock(Content(origin: origin))
  }

  /// Runs a read of a snapshot. No other read runs meanwhile, and the map does not change.
  ///
  /// - Parameters:
  ///   - snapshot: What is read.
  ///   - body: Calls LMDB, and may not take a lock.
  /// - Returns: What `body` returns, or why it could not run.
  func read(_ snapshot: Snapshot, _ body: (Window) -> Engine.Status) -> Engine.Status {
    content.withLock { content in
      guard !content.isLost else { return Engine.panic }
      if content.origin == nil {
        let status = findOrigin(snapshot, &content)
        guard status == 0 else { return status }
      }
      guard let origin = content.origin else { return EIO }
      return body(
        Window(generation: content.generation, origin: origin, mapping: snapshot.mapping))
    }
  }

  /// Runs what is no read but must not meet one.
  func withoutReads(_ body: () -> Void) {
    content.withLock { _ in body() }
  }

  /// Lets LMDB put another map in place of the one that it has.
  ///
  /// - Returns: What `change` returns; unless that is 0 the map is lost.
  func replace(_ change: () -> Engine.Status) -> Engine.Status {
    content.withLock { content in
      content.origin = nil
      content.generation &+= 1
      let status = change()
      content.isLost = status != 0
      return status
    }
  }

  /// Looks up where the new map lies: where LMDB finds the root record.
  private func findOrigin(_ snapshot: Snapshot, _ content: inout Content) -> Engine.Status {
    var root = UnsafeRawBufferPointer(start: nil, count: 0)
    let status = snapshot.transaction.get(
      snapshot.environment.mainTable, RootRecord.keyBytes, &root)
    guard status == 0 else { return status }
    let address = UInt(bitPattern: root.baseAddress)
    // The snapshot pins the record: it is the same in both mappings, or this is the wrong place.
    guard let origin = maps.origin(of: address),
      let own = snapshot.mapping.bytes(at: address &- origin, count: root.count),
      own.elementsEqual(root)
    else { return EIO }
    content.origin = origin
    return 0
  }
}
