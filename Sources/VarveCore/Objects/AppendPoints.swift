/// The highest object id of each class in a transaction: a new object above it needs no lookup and is
/// appended. The class used last is kept apart, since inserts come in runs.
///
/// Thread safety: none.
struct AppendPoints {
  private var lastClass: UInt32 = 0
  private var lastID: UInt64 = 0
  private var others: [UInt32: UInt64] = [:]

  /// The highest id; nil while it is not known.
  subscript(classID: UInt32) -> UInt64? {
    get { classID == lastClass && classID != 0 ? lastID : others[classID] }
    set {
      if classID != lastClass {
        if lastClass != 0 { others[lastClass] = lastID }
        lastClass = classID
      }
      if let newValue {
        lastID = newValue
      } else {
        others[classID] = nil
        lastClass = 0
      }
    }
  }

  /// Whether an id is above the highest one of a class, as far as the class used last tells.
  @inline(__always)
  func isAfter(_ id: UInt64, _ classID: UInt32) -> Bool { classID == lastClass && id > lastID }

  /// Sets the highest id of the class used last.
  ///
  /// - Precondition: ``isAfter(_:_:)`` says so.
  @inline(__always)
  mutating func note(_ id: UInt64, _ classID: UInt32) { lastID = id }

  mutating func removeAll() { self = AppendPoints() }
}
