import VarveEncoding

/// An object of a damaged file, read completely.
struct SalvagedObject {
  let schema: ClassSchema
  let id: UInt64
  /// A part for each property of the class.
  var parts: [Part] = []
  /// The approximate number of bytes in memory.
  var byteCount: Int { parts.reduce(64) { $0 + $1.byteCount } }

  /// The content of a property, or an element of one.
  indirect enum Part {
    case value(Value)
    case embedded(SalvagedObject)
    /// A list or a set.
    case elements([Part])
    case entries([(key: String, part: Part)])
    /// A list or a dictionary in a mixed value.
    case nested(NestedContent)

    /// The approximate number of bytes in memory.
    var byteCount: Int {
      switch self {
      case .value(let value): 32 + value.byteCount
      case .embedded(let object): object.byteCount
      case .elements(let parts): parts.reduce(16) { $0 + $1.byteCount }
      case .entries(let entries):
        entries.reduce(16) { $0 + $1.key.utf8.count + $1.part.byteCount }
      case .nested(let content): content.salvagedByteCount
      }
    }
  }

  /// The keys of the object, which is the first, and of those embedded in it.
  var rows: [RowKey] {
    var rows = [RowKey(classID: schema.id, objectID: id)]
    func add(_ part: Part) {
      switch part {
      case .embedded(let object): rows += object.rows
      case .elements(let parts): parts.forEach(add)
      case .entries(let entries): entries.forEach { add($0.part) }
      case .value, .nested: break
      }
    }
    parts.forEach(add)
    return rows
  }
}

/// The reason why an object cannot be read.
struct SalvageLoss: Error {
  let reason: SalvageReport.LostObject.Reason
  let detail: String

  /// - Parameter detail: More than the reason says; nil if there is no more.
  init(_ reason: SalvageReport.LostObject.Reason, _ detail: String? = nil) {
    self.reason = reason
    self.detail = detail ?? reason.text
  }
}

extension NestedContent {
  fileprivate var salvagedByteCount: Int {
    switch self {
    case .value(let value): 32 + value.byteCount
    case .list(let contents): contents.reduce(16) { $0 + $1.salvagedByteCount }
    case .dictionary(let entries):
      entries.reduce(16) { $0 + $1.key.utf8.count + $1.value.salvagedByteCount }
    }
  }
}
