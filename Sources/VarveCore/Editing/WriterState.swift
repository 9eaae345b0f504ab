import Synchronization
import VarveEncoding
import VarveLocks
import VarveStorage

/// The state that one write of a store passes to the next.
///
/// Thread safety: any thread may use the ids; the rest belongs to the owner of the store's write
/// lock.
final class WriterState: Sendable {
  let highWaterMarks = IDHighWaterMarks()
  let pendingClasses = PendingClasses()
  /// Class tables with ids up to this one are open for writing.
  let openedTables = Atomic<UInt32>(0)
  // Safe because only the owner of the write lock reads or writes it.
  @exclusivity(unchecked)
  nonisolated(unsafe) private var scratch: ScratchBuffers?

  /// The number of tables that are kept open for future classes.
  static let spareClassTables: UInt32 = 8

  /// The maximum number of additional tables opened before a nested transaction, for classes that
  /// the process knows.
  static let maximumPendingClasses = 1024

  /// Returns the scratch buffers for a write.
  func takeScratch() -> ScratchBuffers {
    defer { scratch = nil }
    return scratch ?? ScratchBuffers()
  }

  /// Keeps the scratch buffers of a write for the next one.
  func keepScratch(_ scratch: ScratchBuffers) {
    self.scratch = scratch.isSmall ? scratch : nil
  }
}

/// The highest ids that any transaction of this process assigned, committed or not.
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
  private let ids = Lock(IDs())

  func note(_ root: RootRecord) {
    ids.withLock { ids in
      ids.object = max(ids.object, root.nextObjectID)
      ids.collection = max(ids.collection, root.nextCollectionID)
      ids.node = max(ids.node, root.nextNodeID)
      ids.blob = max(ids.blob, root.nextBlobID)
      ids.generation = max(ids.generation, root.schemaGeneration)
    }
  }

  /// Returns the generation for a schema that is about to change. The generation of a rolled-back
  /// schema is not used again, because handles use it to decide whether their cached schema is
  /// valid.
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
