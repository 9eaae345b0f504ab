import VarveEncoding

/// A predicate or its negation, compiled for the rows of one layout: the location of the bytes and
/// the constants that they are compared with.
///
/// A test contains no references, so copying it needs no reference counting. Its constants are
/// stored in ``ScanConstants``.
struct FieldTest {
  enum Kind {
    /// False for every row, or true for every row.
    case never, always
    /// The object id, within bounds or in a list.
    case id, idAmong
    /// Integers and links of the given width, within bounds or in a list.
    case word8, word16, word32, word64, wordAmong
    case bool
    /// Doubles and dates, and floats, within bounds or in a list.
    case double, float, doubleAmong
    /// Strings and data stored inline in the row.
    case textEqual, textOrdered, textBegins, textEnds, textContains, textAmong
    /// UUIDs and object ids.
    case bytesOrdered, bytesAmong
    /// All other tests, which are decided by decoding a ``Value``.
    case value
  }

  var kind: Kind
  var offset = 0
  /// The number of bytes of the property slot.
  var width = 0
  var nullByte = 0
  var nullMask: UInt8 = 0
  /// The outcome for null.
  var ifNull = false
  /// Whether the outcome of the comparison is inverted. Applies to values that are not null.
  var isInverted = false
  /// Whether the outcome of the predicate itself is negated.
  var isNegated = false

  /// A word is within the bounds if `word &+ bias <= span`.
  var bias: UInt64 = 0
  var span: UInt64 = 0
  /// The mask that turns a word into a key by XOR.
  var flip: UInt64 = 0
  var lower = Double.infinity
  var upper = -Double.infinity
  /// The outcomes for the two Boolean values.
  var ifFalse = false
  var ifTrue = false
  /// The byte bounds. A nil address means no bound.
  var least = UnsafeRawBufferPointer(start: nil, count: 0)
  var greatest = UnsafeRawBufferPointer(start: nil, count: 0)
  /// The first eight bytes of `least`, or fewer if it is shorter, and the mask of the bits that
  /// they occupy. They are compared before the other bytes.
  var firstWord: UInt64 = 0
  var firstMask: UInt64 = 0
  /// Whether bytes that equal a bound are within the bounds.
  var includesBounds = true
  var keys = UnsafeBufferPointer<UInt64>(start: nil, count: 0)
  var strings = UnsafeBufferPointer<UnsafeRawBufferPointer>(start: nil, count: 0)

  init(_ kind: Kind) { self.kind = kind }
}

extension FieldTest {
  /// Compiles a predicate on a property for the rows of a layout.
  ///
  /// - Parameter constants: Stores the constants that rows are compared with.
  /// - Complexity: O(n log n) in the constants of the predicate.
  init(
    _ predicate: PropertyPredicate, _ property: StoredProperty, in layout: RowLayout,
    _ constants: ScanConstants
  ) {
    guard predicate.isSatisfiable else {
      self.init(.never)
      return
    }
    switch FieldLocation(property, in: layout) {
    case .constant(let value):
      self.init(predicate.matches(value) ? .always : .never)
    case .objectID:
      self.init(.id)
      bound(predicate, .integers, flip: 0, constants, among: .idAmong)
    case .stored(let field) where !field.isStored || field.kind.collection != .none:
      self.init(.value)
    case .stored(let field):
      self.init(.value)
      offset = field.offset
      width = field.width
      nullByte = field.nullByte
      nullMask = field.nullMask
      ifNull = predicate.matches(.null)
      compile(predicate, field, property, constants)
    }
  }

  private mutating func compile(
    _ predicate: PropertyPredicate, _ field: RowField, _ property: StoredProperty,
    _ constants: ScanConstants
  ) {
    switch field.kind.type {
    case .int8, .int16, .int32, .int64:
      kind = [1: .word8, 2: .word16, 4: .word32][field.width] ?? .word64
      bound(predicate, .integers, flip: 1 << 63, constants, among: .wordAmong)
    case .link:
      kind = .word64
      let search = KeySearch.links(toClass: property.linkedClassID)
      bound(predicate, search, flip: 0, constants, among: .wordAmong)
    case .double, .float:
      kind = field.kind.type == .double ? .double : .float
      bound(predicate, .doubles, flip: 0, constants, among: .doubleAmong)
    case .date:
      kind = .double
      bound(predicate, .dates, flip: 0, constants, among: .doubleAmong)
    case .bool:
      kind = .bool
      ifFalse = predicate.matches(.bool(false))
      ifTrue = predicate.matches(.bool(true))
    case .string, .data, .uuid, .objectId: compileBytes(predicate, field.kind.type, constants)
    case .decimal128, .mixed: kind = .value
    }
  }

  /// Sets the bounds or the list of values that satisfy a predicate.
  private mutating func bound(
    _ predicate: PropertyPredicate, _ search: KeySearch, flip: UInt64, _ constants: ScanConstants,
    among: Kind
  ) {
    self.flip = flip
    let range: ClosedRange<UInt64>?
    switch predicate.kind {
    case .compared(let operation, let constant):
      range = search.range(operation, constant)
      isInverted = operation == .notEqual
    case .between(let lower, let upper): range = search.between(lower, upper)
    case .among(let values):
      let found = values.compactMap { search.between($0, $0)?.upperBound }
      keys = constants.copy(found.sorted())
      kind = among
      if found.isEmpty { setConstant(isInverted) }
      return
    case .text: range = nil
    }
    guard let range else { return setConstant(isInverted) }
    bias = flip &- range.lowerBound
    span = range.upperBound - range.lowerBound
    lower = KeySearch.double(range.lowerBound)
    upper = KeySearch.double(range.upperBound)
  }
}

extension FieldTest {
  /// Sets the same outcome for all values except null.
  mutating func setConstant(_ outcome: Bool) {
    kind = .bool
    ifFalse = outcome
    ifTrue = outcome
    if nullMask == 0 || ifNull == outcome { kind = outcome ? .always : .never }
  }

  /// The logical negation of the test.
  var negated: FieldTest {
    var test = self
    if kind == .always { test.kind = .never }
    if kind == .never { test.kind = .always }
    test.isInverted.toggle()
    test.isNegated.toggle()
    test.ifNull.toggle()
    test.ifFalse.toggle()
    test.ifTrue.toggle()
    return test
  }
}
