import VarveEncoding
import VarveStorage

/// An observed list or map, and whether its owner has existed.
struct OwnedCollection: Sendable {
  /// The state of the collection after advancing from one version to another.
  enum State {
    /// The owner exists in neither version.
    case absent
    /// The owner was deleted. Contains the collection's old slot.
    case deleted(CollectionSlot)
    /// The collection with its slots in both versions. If only the new version has the owner, the
    /// old slot is empty.
    case present(StoredCollection, CollectionSlot, CollectionSlot)
  }

  let identity: CollectionIdentity
  private let store: StoreFile
  /// Whether the owner has existed in any version so far.
  private var wasThere = false

  init(_ identity: CollectionIdentity, _ store: StoreFile) {
    self.identity = identity
    self.store = store
  }

  /// Starts at a version. See `ChangeTracker.start(at:)`.
  mutating func start(at snapshot: Snapshot) throws(Failure) -> Bool {
    if identity.isRolledBack { return false }
    let isThere = try identity.stored(in: store.schema)?.slot(in: snapshot) != nil
    defer { wasThere = wasThere || isThere }
    return isThere || !wasThere
  }

  /// Advances to the new version of a difference.
  mutating func advance(_ difference: VersionDifference) throws(Failure) -> State {
    if identity.isRolledBack { return .deleted(.none) }
    guard let stored = identity.stored(in: difference.schema) else { return .absent }
    let before = try stored.countedSlot(in: difference.old)
    let after = try stored.countedSlot(in: difference.new)
    wasThere = wasThere || before != nil || after != nil
    guard let after else { return before.map { .deleted($0) } ?? .absent }
    return .present(stored, before ?? .none, after)
  }
}
