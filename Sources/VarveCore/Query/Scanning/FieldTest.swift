import VarveEncoding

/// A predicate, or its opposite, compiled for the rows of one layout: where the bytes lie and what they are compared with.
///
/// It has no references, so that copying it costs nothing; its constants lie in a ``ScanConstants``.
///
/// Thread safety: an immutable value.
struct FieldTest {
  enum Kind {
    /// Holds for no row, or for every one.
    case never, always
    /// The id of the object: within bounds, or one of a list.
    case id, idAmong
    /// Integers and links of so many bits, within bounds, or one of a list.
    case word8, word16, word32, word64, wordAmong
    case bool
    /// Doubles and dates, and floats, within bounds, or one of a list.
    case double, float, doubleAmong
    /// Strings and data that stand in the row.
    case textEqual, textOrdered, textBegins, textEnds, textContains, textAmong
    /// UUIDs and object ids.
    case bytesOrdered, bytesAmong
    /// All that is decided by making a ``Value``.
    case value
  }

  var kind: Kind
  var offset = 0
  /// The bytes of the slot.
  var width = 0
  var nullByte = 0
  var nullMask: UInt8 = 0
  /// What the outcome is for null.
  var ifNull = false
  /// Whether the comparison below is turned round: for values that are not null.
  var isInverted = false
  /// Whether the outcome of the predicate itself is.
  var isNegated = false

  /// A word is within the bounds if the sum of it and `bias` is not above `span`.
  var bias: UInt64 = 0
  var span: UInt64 = 0
  /// What makes a key of a word.
  var flip: UInt64 = 0
  var lower = Double.infinity
  var upper = -Double.infinity
  /// The outcomes of a Boolean.
  var ifFalse = false
  var ifTrue = false
  /// Bounds of bytes; no address for none.
  var least = UnsafeRawBufferPointer(start: nil, count: 0)
  var greatest = UnsafeRawBufferPointer(start: nil, count: 0)
  /// The first eight bytes of `least`, or all of them, and the bits that they take: looked at before the rest.
  var firstWord: UInt64 = 0
  var firstMask: UInt64 = 0
  /// Whether the bounds hold for bytes that are equal to them.
  var includesBounds = true
  var keys = UnsafeBufferPointer<UInt64>(start: nil, count: 0)
  var strings = UnsafeBufferPointer<UnsafeRawBufferPointer>(start: nil, count: 0)

  init(_ kind: Kind) { self.kind = kind }
}

extension FieldTest {
  /// Compiles a predicate.
  ///
  /// - Parameters:
  ///   - predicate: what the test decides.
  ///   - property: of which property.
  ///   - layout: of which rows.
  ///   - constants: takes what the rows are compared with.
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
      self.init(predicate.holds(value) ? .always : .never)
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
      ifNull = predicate.holds(.null)
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
      ifFalse = predicate.holds(.bool(false))
      ifTrue = predicate.holds(.bool(true))
    case .string, .data, .uuid, .objectId: compileBytes(predicate, field.kind.type, constants)
    case .decimal128, .mixed: kind = .value
    }
  }

  /// Sets the bounds between which a predicate holds, or the list.
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
  /// Gives all values but null one outcome.
  mutating func setConstant(_ outcome: Bool) {
    kind = .bool
    ifFalse = outcome
    ifTrue = outcome
    if nullMask == 0 || ifNull == outcome { kind = outcome ? .always : .never }
  }

  /// The test that holds where this one does not.
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
