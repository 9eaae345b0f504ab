/// One object of a file: the stored class and the object id.
package struct RowKey: Hashable, Sendable {
  package var classID: UInt32
  package var objectID: UInt64

  package init(classID: UInt32, objectID: UInt64) {
    self.classID = classID
    self.objectID = objectID
  }
}
