import Foundation
import Logging
import VarveCore

/// The elements of a list, as the property of an object that a store in memory keeps.
final class CopiedList<Element: RealmCollectionValue>: Object, @unchecked Sendable {
  /// Only an object with a primary key is updated, and so are those that it links to: the list may hold a key twice.
  var id: Int {
    get { _$get(0) }
    set { _$set(0, newValue) }
  }
  var elements: List<Element> {
    get { _$get(1) }
    set { _$set(1, newValue) }
  }

  override class func _$properties() -> [PropertyDescriptor] {
    [
      _$prop("id", 0, \CopiedList.id, primaryKey: true),
      _$prop("elements", 1, \CopiedList.elements),
    ]
  }
}

extension RealmCollection {
  /// The place of the first element that satisfies a condition, which a copy of the elements is asked for: it is in a store
  /// of its own, in memory, with all that they link to. Objects are copied one by one, as two may have one key.
  ///
  /// - Complexity: O(n), with a write for each object, and the making of a store.
  func indexInManagedCopy(_ index: (List<Element>) throws -> Int?) throws -> Int? {
    var configuration = Realm.Configuration(inMemoryIdentifier: "varve.copy." + UUID().uuidString)
    configuration.objectTypes = [CopiedList<Element>.self]
    defer { try? Realm.close(configuration) }
    let realm = try Realm(configuration: configuration)
    func found(in elements: [Element]) throws -> Int? {
      let copy = try realm.write {
        realm.deleteAll()
        let content: [String: Any] = ["id": 0, "elements": elements]
        return realm.create(CopiedList<Element>.self, value: content, update: .all)
      }
      return try index(copy.elements)
    }
    guard Element.self is ObjectBase.Type else { return try found(in: Array(self)) }
    for (place, element) in enumerated() where try found(in: [element]) != nil { return place }
    return nil
  }

  /// As ``indexInManagedCopy(_:)``, for what cannot throw: a failure of the store dooms the running write, or is logged.
  func loggedIndexInManagedCopy(_ index: (List<Element>) -> Int?) -> Int? {
    do {
      return try indexInManagedCopy(index)
    } catch {
      let failure = Failure(.fail, "An unmanaged collection could not be asked: \(error)")
      if Store.failWritesOfThread(failure) == nil {
        Logger(label: "varve").error("\(failure.message)")
      }
      return nil
    }
  }
}
