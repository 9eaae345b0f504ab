import VarveEncoding

/// A word, a value or a sign of a predicate.
struct PredicateToken: Equatable {
  enum Kind: Equatable {
    /// A name or a keyword.
    case word(String)
    /// A name after `#`, whatever it is.
    case name(String)
    /// A word with `@`, which the sign belongs to.
    case collectionWord(String)
    /// A word with `$`, which the sign belongs to.
    case variable(String)
    case integer(UInt64)
    case double(Double, Decimal128Bits?)
    case string(String)
    /// What `uuid(…)` and their like give, and dates.
    case value(Value)
    /// `%@`, or the number of `$0`.
    case argument(Int?)
    /// `%K`, or the number of `$K0`.
    case nameArgument(Int?)
    case sign(String)
    /// What begins no token, with the reason.
    case fault(String)
    case end
  }

  var kind: Kind
  /// The scalars that it takes.
  var range: Range<Int>
  /// What is wrong stands here; else where it begins.
  var faultPlace: Int?
  /// Which keyword the word is, where it is one.
  var keyword: PredicateKeyword?

  func isSign(_ text: String) -> Bool {
    if case .sign(let sign) = kind { sign == text } else { false }
  }

  /// Whether a name, a value or a parenthesis begins here.
  var beginsOperand: Bool {
    switch kind {
    case .word: keyword?.isBetween != true
    case .sign(let sign): ["(", "{", "!"].contains(sign)
    case .name, .variable, .integer, .double, .string, .value, .argument, .nameArgument: true
    case .collectionWord: true
    case .fault, .end: false
    }
  }

  /// Whether a path begins here.
  var beginsPath: Bool {
    switch kind {
    case .word: keyword?.isBetween != true
    case .name, .variable, .nameArgument, .collectionWord: true
    default: false
    }
  }
}

/// The words with a meaning; each is a name too, where no meaning is possible.
enum PredicateKeyword: String {
  case and, or, not, truepredicate, falsepredicate
  case `true`, `false`, yes, no, null, `nil`, inf, infinity, nan
  case any, some, all, none, `self`, subquery
  case between, `in`, beginswith, endswith, contains, like, matches, text, geowithin
  case sort, distinct, limit, asc, ascending, desc, descending, first, last, size

  /// Whether the word may mean something where an operand begins, or ends one before.
  var beginsOperand: Bool {
    switch self {
    case .sort, .distinct, .limit, .asc, .ascending, .desc, .descending, .first, .last, .size:
      false
    default: true
    }
  }

  /// Whether the word stands between two operands.
  var isBetween: Bool {
    switch self {
    case .and, .or, .between, .in, .beginswith, .endswith, .contains, .like, .matches, .text,
      .geowithin:
      true
    default: false
    }
  }
}
