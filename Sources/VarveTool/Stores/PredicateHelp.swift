/// The paragraph about predicates in the help of commands.
enum PredicateHelp {
  static let text = """
    A predicate compares properties of the object: “age >= 18 AND name BEGINSWITH[c] 'a'”, also over \
    links and collections: “ANY dogs.age > 3”, “dogs.@count = 0”, “notes['phone'] != NULL”. Operators: \
    = != < <= > >= BETWEEN IN BEGINSWITH ENDSWITH CONTAINS LIKE MATCHES TEXT, joined by AND, OR, NOT and \
    parentheses; [c] ignores case, [d] diacritics. Values: 1, 1.5, 'text' with \\' for a quote, TRUE, \
    FALSE, NULL, after IN {1, 2}; dates ('2024-01-31', '2024-01-31T12:00:00Z'), UUIDs and object ids as \
    text, enumerations as their raw values.
    """
}
