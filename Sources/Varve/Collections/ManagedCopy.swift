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
  /// Asks a copy of an unmanaged collection what only managed ones can be asked. The copy is in a store of its own, in
  /// memory, with all that the elements link to.
  ///
  /// - Complexity: O(n) and the making of a store, about a millisecond.
  func onManagedCopy<R>(_ body: (List<Element>) throws -> R) throws -> R {
    var configuration = Realm.Configuration(inMemoryIdentifier: "varve.copy." + UUID().uuidString)
    configuration.objectTypes = [CopiedList<Element>.self]
    defer { try? Realm.close(configuration) }
    let realm = try Realm(configuration: configuration)
    let copy = try realm.write {
      let content: [String: Any] = ["id": 0, "elements": Array(self)]
      return realm.create(CopiedList<Element>.self, value: content, update: .all)
    }
    return try body(copy.elements)
  }

  /// As ``onManagedCopy(_:)``, for what cannot throw: a failure of the store dooms the running write, or is logged.
  func loggedOnManagedCopy<R>(_ body: (List<Element>) -> R?) -> R? {
    do {
      return try onManagedCopy(body)
    } catch {
      let failure = Failure(.fail, "An unmanaged collection could not be asked: \(error)")
      if Store.doomWritesOfThread(failure) == nil {
        Logger(label: "varve").error("\(failure.message)")
      }
      return nil
    }
  }
}
