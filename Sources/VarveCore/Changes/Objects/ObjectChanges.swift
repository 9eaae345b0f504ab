/// The objects of one class that differ between two versions. All ids ascend.
package struct ObjectChanges: Sendable {
  /// An object that is in both versions, with different contents.
  package struct Modification: Sendable {
    package let id: UInt64
    /// The properties that differ or were set to their previous value, in the order of the class.
    package let propertyIDs: [UInt32]
  }

  /// The ids of the objects that only the new version has.
  package internal(set) var inserted: [UInt64] = []
  /// The ids of the objects that only the old version has.
  package internal(set) var deleted: [UInt64] = []
  package internal(set) var modified: [Modification] = []

  package static let none = ObjectChanges()

  package var isEmpty: Bool { inserted.isEmpty && deleted.isEmpty && modified.isEmpty }

  /// Returns the modification of an object.
  ///
  /// - Complexity: O(log modified objects).
  package func modification(of id: UInt64) -> Modification? {
    let position = modified.countAscending { $0.id < id }
    return position < modified.count && modified[position].id == id ? modified[position] : nil
  }
}
