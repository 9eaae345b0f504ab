/// The highest object id of each class in a transaction: a new object above it needs no lookup and
/// is appended.
///
/// Thread safety: none.
struct HighestObjectIDs {
  /// The ids by class; `unknown` for classes not looked up yet.
  private var highest: [UInt64] = []
  /// The ids of classes whose class ids are too high for the array.
  private var others: [UInt32: UInt64] = [:]

  private static let unknown = UInt64.max
  private static let mostClasses: UInt32 = 4096

  /// The highest id; nil if it is unknown.
  subscript(classID: UInt32) -> UInt64? {
    get {
      guard classID < Self.mostClasses else { return others[classID] }
      guard classID < highest.count, highest[Int(classID)] != Self.unknown else { return nil }
      return highest[Int(classID)]
    }
    set {
      guard classID < Self.mostClasses else { return others[classID] = newValue }
      let missing = Int(classID) + 1 - highest.count
      if missing > 0 { highest.append(contentsOf: repeatElement(Self.unknown, count: missing)) }
      highest[Int(classID)] = newValue ?? Self.unknown
    }
  }

  /// Whether an id is known, without a lookup, to be above the highest one of a class.
  @inline(__always)
  func isAfter(_ id: UInt64, _ classID: UInt32) -> Bool {
    classID < highest.count && id > highest[Int(classID)]
  }

  /// Sets the highest id of a class.
  ///
  /// - Precondition: ``isAfter(_:_:)`` is true for the id.
  @inline(__always)
  mutating func note(_ id: UInt64, _ classID: UInt32) { highest[Int(classID)] = id }

  mutating func removeAll() { self = HighestObjectIDs() }
}
