import VarveEncoding
import VarveStorage

/// An observed list or map, and whether its owner has existed.
struct OwnedCollection: Sendable {
  /// The state of the collection after advancing from one version to another.
  enum State {
    /// The owner exists in neither version.
    case absent
    /// The owner was deleted. Contains the collection's old content.
    case deleted(CollectionContent)
    /// The collection with its contents in both versions. If only the new version has the owner, the
    /// old content is empty.
    case present(StoredCollection, CollectionContent, CollectionContent)
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
    let isThere = try identity.stored(in: store.schema)?.content(in: snapshot) != nil
    defer { wasThere = wasThere || isThere }
    return isThere || !wasThere
  }

  /// Advances to the new version of a difference.
  mutating func advance(_ difference: VersionDifference) throws(Failure) -> State {
    if identity.isRolledBack { return .deleted(.none) }
    guard let stored = identity.stored(in: difference.schema) else { return .absent }
    let before = try stored.countedContent(in: difference.old)
    let after = try stored.countedContent(in: difference.new)
    wasThere = wasThere || before != nil || after != nil
    guard let after else { return before.map { .deleted($0) } ?? .absent }
    return .present(stored, before ?? .none, after)
  }
}
