/// The highest object id of each class in a transaction: a new object above it needs no lookup and is appended.
///
/// Thread safety: none.
struct HighestObjectIDs {
  /// By class; `unknown` for those that were not looked at.
  private var highest: [UInt64] = []
  /// Of classes whose ids are so high that the array would be long.
  private var others: [UInt32: UInt64] = [:]

  private static let unknown = UInt64.max
  private static let mostClasses: UInt32 = 4096

  /// The highest id; nil while it is not known.
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

  /// Whether an id is above the highest one of a class, as far as that is known without a look-up.
  @inline(__always)
  func isAfter(_ id: UInt64, _ classID: UInt32) -> Bool {
    classID < highest.count && id > highest[Int(classID)]
  }

  /// Sets the highest id of a class.
  ///
  /// - Precondition: ``isAfter(_:_:)`` says so.
  @inline(__always)
  mutating func note(_ id: UInt64, _ classID: UInt32) { highest[Int(classID)] = id }

  mutating func removeAll() { self = HighestObjectIDs() }
}
