import VarveEncoding

/// A word, a value or a sign of a predicate.
struct PredicateToken: Equatable {
  enum Kind: Equatable {
    /// A name or a keyword.
    case word(String)
    /// A name after `#`, which is never a keyword.
    case name(String)
    /// A word with `@`, which is part of the word.
    case collectionWord(String)
    /// A word with `$`, which is part of the word.
    case variable(String)
    case integer(UInt64)
    case double(Double, Decimal128Bits?)
    case string(String)
    /// The value of `uuid(…)` and similar forms, or a date.
    case value(Value)
    /// `%@`, or the number of `$0`.
    case argument(Int?)
    /// `%K`, or the number of `$K0`.
    case nameArgument(Int?)
    case sign(String)
    /// An error message for text that is not a token.
    case fault(String)
    case end
  }

  var kind: Kind
  /// The range of scalars.
  var range: Range<Int>
  /// The position of the fault, or nil for the start of the token.
  var errorPosition: Int?
  /// The keyword that the word is, if any.
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

/// The keywords. A keyword is parsed as a name where it cannot be a keyword.
enum PredicateKeyword: String {
  case and, or, not, truepredicate, falsepredicate
  case `true`, `false`, yes, no, null, `nil`, inf, infinity, nan
  case any, some, all, none, `self`, subquery
  case between, `in`, beginswith, endswith, contains, like, matches, text, geowithin
  case sort, distinct, limit, asc, ascending, desc, descending, first, last, size

  /// Whether the word can be a keyword at the start of an operand or directly after one.
  var beginsOperand: Bool {
    switch self {
    case .sort, .distinct, .limit, .asc, .ascending, .desc, .descending, .first, .last, .size:
      false
    default: true
    }
  }

  /// Whether the word is an infix operator.
  var isBetween: Bool {
    switch self {
    case .and, .or, .between, .in, .beginswith, .endswith, .contains, .like, .matches, .text,
      .geowithin:
      true
    default: false
    }
  }
}
