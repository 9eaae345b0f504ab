import VarveEncoding
import VarveStorage

/// A list or map that is observed, and whether the object that owns it was there.
struct OwnedCollection: Sendable {
  /// What became of the collection from one version to another.
  enum Step {
    /// Neither version has the owner.
    case absent
    /// The owner was deleted: the collection as it was.
    case gone(CollectionSlot)
    /// The collection in both versions. An owner that only the new version has had nothing before.
    case present(StoredCollection, CollectionSlot, CollectionSlot)
  }

  let identity: CollectionIdentity
  private let store: StoreFile
  /// Whether the owner was ever there.
  private var wasThere = false

  init(_ identity: CollectionIdentity, _ store: StoreFile) {
    self.identity = identity
    self.store = store
  }

  /// As `ChangeTracker.start(at:)`.
  mutating func start(at snapshot: Snapshot) throws(Failure) -> Bool {
    if identity.isRolledBack { return false }
    let isThere = try identity.stored(in: store.schema)?.slot(in: snapshot) != nil
    defer { wasThere = wasThere || isThere }
    return isThere || !wasThere
  }

  /// Goes on to the new version of a difference.
  mutating func advance(_ difference: VersionDifference) throws(Failure) -> Step {
    if identity.isRolledBack { return .gone(.none) }
    guard let stored = identity.stored(in: difference.schema) else { return .absent }
    let before = try stored.countedSlot(in: difference.old)
    let after = try stored.countedSlot(in: difference.new)
    wasThere = wasThere || before != nil || after != nil
    guard let after else { return before.map { .gone($0) } ?? .absent }
    return .present(stored, before ?? .none, after)
  }
}
