/// The number of objects that an edit changed.
struct EditResult {
  var count: Int
  /// The number of chosen objects that had the new values already.
  var unchangedCount = 0
  /// The participle of the change: “deleted”.
  var participle: String
}
