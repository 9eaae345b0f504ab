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

  mutating func removeAll() { self = AppendPoints() }
}
