/// The encoding of links between objects.
///
/// ```swift
/// let encoder = JSONEncoder()
/// encoder.userInfo[.varveLinks] = LinkCoding.keys
/// let decoder = JSONDecoder()
/// decoder.userInfo[.varveLinks] = LinkCoding.keys
/// decoder.userInfo[.varveRealm] = realm
/// ```
///
/// Embedded objects are nested in both cases.
public enum LinkCoding: Sendable, Hashable {
  /// A linked object is nested in place of the link, with all its properties. This is the default.
  ///
  /// A link to an enclosing object is an error. Links to objects of classes that are not `Codable`
  /// are omitted, and so are linking objects.
  case nested
  /// A link is replaced by the primary key of the linked object.
  ///
  /// A link in an ``AnyRealmValue`` is replaced by class and key, as
  /// `{"$link": {"class": "Dog", "key": "Rex"}}`; no stored dictionary has a key that starts with
  /// `$`. The class need not be `Codable`. Linking objects are encoded as an array of keys, and not
  /// decoded.
  ///
  /// A key is decoded as the object with that key in the realm of `userInfo[.varveRealm]`. If the
  /// realm has no such object, decoding fails. Without a realm, a key is decoded as an unmanaged
  /// object that has only the key. Added with the policy `.modified` or `.all`, it refers to the
  /// stored object with that key, whose other properties are not changed.
  case keys
}

extension CodingUserInfoKey {
  /// The key for the ``LinkCoding`` of an encoder or a decoder.
  public static let varveLinks = named("varve.links")
  /// The key for the ``Realm`` that decoded primary keys are looked up in.
  public static let varveRealm = named("varve.realm")

  private static func named(_ name: String) -> CodingUserInfoKey {
    guard let key = CodingUserInfoKey(rawValue: name) else {
      preconditionFailure("Every string is a CodingUserInfoKey.")
    }
    return key
  }
}

extension LinkCoding {
  /// Reads the link coding of an encoder or a decoder.
  init(_ userInfo: [CodingUserInfoKey: Any]) {
    self = userInfo[.varveLinks] as? LinkCoding ?? .nested
  }
}

/// The source of a decoder's linked objects.
struct LinkSource: Sendable {
  let coding: LinkCoding
  let realm: Realm?

  init(_ decoder: any Decoder) {
    let userInfo = decoder.userInfo
    coding = LinkCoding(userInfo)
    realm = userInfo[.varveRealm] as? Realm
  }
}

extension DecodingError {
  /// Returns the error with class and property, unless it already names a property.
  func naming(_ className: String, _ property: String) -> DecodingError {
    func named(_ context: Context) -> Context {
      Context(
        codingPath: context.codingPath,
        debugDescription: CodingContext.named(context.debugDescription, className, property),
        underlyingError: context.underlyingError)
    }
    return switch self {
    case .typeMismatch(let type, let context): .typeMismatch(type, named(context))
    case .valueNotFound(let type, let context): .valueNotFound(type, named(context))
    case .keyNotFound(let key, let context): .keyNotFound(key, named(context))
    case .dataCorrupted(let context): .dataCorrupted(named(context))
    @unknown default: self
    }
  }
}

extension EncodingError {
  /// Returns the error with class and property, unless it already names a property.
  func naming(_ className: String, _ property: String) -> EncodingError {
    guard case .invalidValue(let value, let context) = self else { return self }
    return .invalidValue(
      value,
      Context(
        codingPath: context.codingPath,
        debugDescription: CodingContext.named(context.debugDescription, className, property),
        underlyingError: context.underlyingError))
  }
}

/// The format in which coding errors name a property.
enum CodingContext {
  private static let beginning = "Property '"

  static func named(_ text: String, _ className: String, _ property: String) -> String {
    text.hasPrefix(beginning) ? text : "\(beginning)\(className).\(property)': \(text)"
  }
}
