/// The objects of one class that differ between two versions.
public struct ObjectChanges<T: ObjectBase>: Sendable {
  /// The objects that are only in the new version, frozen in it.
  public let insertions: [T]
  /// The objects that are only in the old version, frozen in it.
  public let deletions: [T]
  /// The objects that are in both versions and differ.
  public let modifications: [ObjectModification<T>]

  init(
    insertions: [T] = [], deletions: [T] = [], modifications: [ObjectModification<T>] = []
  ) {
    self.insertions = insertions
    self.deletions = deletions
    self.modifications = modifications
  }

  /// Whether the two versions are equal.
  public var isEmpty: Bool { insertions.isEmpty && deletions.isEmpty && modifications.isEmpty }
}

/// An object that was modified between two versions.
public struct ObjectModification<T: ObjectBase>: Sendable {
  /// The object frozen in the old version.
  public let old: T
  /// The object frozen in the new version.
  public let new: T
  /// The properties that differ or were set to the value that they had, in the order of the class.
  public let properties: [PropertyChange]
}
