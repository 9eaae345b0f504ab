/// The objects of one class in which two versions differ.
///
/// Thread safety: a value.
public struct ObjectChanges<T: ObjectBase>: Sendable {
  /// The objects that only the new version has, frozen in it.
  public let insertions: [T]
  /// The objects that only the old version has, frozen in it.
  public let deletions: [T]
  /// The objects that both versions have and that differ.
  public let modifications: [ObjectModification<T>]

  init(
    insertions: [T] = [], deletions: [T] = [], modifications: [ObjectModification<T>] = []
  ) {
    self.insertions = insertions
    self.deletions = deletions
    self.modifications = modifications
  }

  /// Whether nothing differs.
  public var isEmpty: Bool { insertions.isEmpty && deletions.isEmpty && modifications.isEmpty }
}

/// An object in two versions.
public struct ObjectModification<T: ObjectBase>: Sendable {
  /// The object frozen in the old version.
  public let old: T
  /// The object frozen in the new version.
  public let new: T
  /// The properties that differ, or were set to the value that they had, in the order of the class.
  public let properties: [PropertyChange]
}
