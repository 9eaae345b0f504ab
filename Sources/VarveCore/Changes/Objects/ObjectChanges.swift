/// The objects of one class in which two versions differ. All ids ascend.
///
/// Thread safety: a value.
package struct ObjectChanges: Sendable {
  /// An object that both versions have, with other contents.
  package struct Modification: Sendable {
    package let id: UInt64
    /// The properties that differ, or were set to the value that they had, in the order of the class.
    package let propertyIDs: [UInt32]
  }

  /// The ids of the objects that only the new version has.
  package internal(set) var inserted: [UInt64] = []
  /// The ids of the objects that only the old version has.
  package internal(set) var deleted: [UInt64] = []
  package internal(set) var modified: [Modification] = []

  package static let none = ObjectChanges()

  package var isEmpty: Bool { inserted.isEmpty && deleted.isEmpty && modified.isEmpty }

  /// The modification of an object.
  ///
  /// - Complexity: O(log modified objects).
  package func modification(of id: UInt64) -> Modification? {
    let place = modified.countAscending { $0.id < id }
    return place < modified.count && modified[place].id == id ? modified[place] : nil
  }
}
