import Synchronization
import VarveEncoding
import VarveStorage

/// What one write of a store leaves to the next.
///
/// Thread safety: any thread may use the ids; the rest belongs to whoever has the write lock of the store.
final class WriterState: Sendable {
  let highWaterMarks = IDHighWaterMarks()
  let pendingClasses = PendingClasses()
  /// Class tables with ids up to this are open for writing.
  let openedTables = Atomic<UInt32>(0)
  // Safe because only who has the write lock reads or writes it.
  @exclusivity(unchecked)
  nonisolated(unsafe) private var scratch: ScratchBuffers?

  /// How many tables for classes to come are kept open.
  static let spareClassTables: UInt32 = 8

  /// How many more are opened at most before a nested transaction, for classes that the process knows.
  static let maximumPendingClasses = 1024

  /// What a write encodes in.
  func takeScratch() -> ScratchBuffers {
    defer { scratch = nil }
    return scratch ?? ScratchBuffers()
  }

  /// Keeps what a write has encoded in for the next one.
  func keepScratch(_ scratch: ScratchBuffers) {
    self.scratch = scratch.isSmall ? scratch : nil
  }
}

/// The highest ids that any transaction of this process gave out, committed or not.
///
/// Thread safety: a lock guards them.
final class IDHighWaterMarks: Sendable {
  private struct IDs {
    var object: UInt64 = 0
    var collection: UInt64 = 0
    var node: UInt64 = 0
    var blob: UInt64 = 0
    var generation: UInt64 = 0
  }
  /// Guards the ids.
  private let ids = Mutex(IDs())

  func note(_ root: RootRecord) {
    ids.withLock { ids in
      ids.object = max(ids.object, root.nextObjectID)
      ids.collection = max(ids.collection, root.nextCollectionID)
      ids.node = max(ids.node, root.nextNodeID)
      ids.blob = max(ids.blob, root.nextBlobID)
      ids.generation = max(ids.generation, root.schemaGeneration)
    }
  }

  /// The generation of a schema that is about to change. A rolled-back one is not used again, since
  /// handles know by it whether what they keep of the schema still holds.
  func nextGeneration(after generation: UInt64) -> UInt64 {
    ids.withLock { max($0.generation, generation) } + 1
  }

  func raise(_ root: inout RootRecord) {
    ids.withLock { ids in
      root.nextObjectID = max(ids.object, root.nextObjectID)
      root.nextCollectionID = max(ids.collection, root.nextCollectionID)
      root.nextNodeID = max(ids.node, root.nextNodeID)
      root.nextBlobID = max(ids.blob, root.nextBlobID)
    }
  }
}
