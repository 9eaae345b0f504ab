import Testing
public import Varve

@Model open class OpenModel: Object {
  @Persisted public var shared = 1
  @Persisted public private(set) var readable = 2
  @Persisted private var hidden = 3
  @Persisted fileprivate var inFile = 4
  @Persisted package var inPackage = 5
  @Persisted final var fixed = 6
  func bump() {
    readable += 1
    hidden += 1
  }
}
@Model public class PublicModel: OpenModel {
  @Persisted public var more = 7
}
@Model public final class FinalModel: PublicModel {
  @Persisted public var last = 8
}
@Model package class PackageModel: PublicModel {
  @Persisted package var more2 = 8
}
@Model private class FileModel: PackageModel {
  @Persisted var more3 = 9
}
open class OpenPlainModel: Object, @unchecked Sendable {
  @Persisted public var shared = 1
  @Persisted public private(set) var readable = 2
  @Persisted private var hidden = 3
  @Persisted fileprivate var inFile = 4
  @Persisted package var inPackage = 5
  @Persisted final var fixed = 6
  func bump() {
    readable += 1
    hidden += 1
  }
}

enum Internal {
  @Model public class Nested: Object {
    @Persisted public var value = 1
    @Model package final class Deeper: Nested {
      @Persisted package var other = 2
    }
  }
}

public enum Public {
  @Model public class Nested: Object {
    @Persisted public var value = 1
  }
}

extension Internal {
  @Model public final class Extended: Public.Nested {
    @Persisted public var other = 2
  }
  final class PlainExtended: Public.Nested, @unchecked Sendable {
    @Persisted var other = 2
  }
}

struct ModelAccessTests {
  @Test(arguments: [OpenModel.self, OpenPlainModel.self] as [ObjectBase.Type])
  func everyAccessLevelIsPersisted(_ model: ObjectBase.Type) {
    let names = ["shared", "readable", "hidden", "inFile", "inPackage", "fixed"]
    #expect(ModelProbe(model).names == names)
  }

  @Test func settersOfAnyLevelWork() {
    let object = OpenModel()
    object.bump()
    #expect(object.readable == 3)
    let plain = OpenPlainModel()
    plain.bump()
    #expect(plain.readable == 3)
  }

  @Test func slotsContinueAcrossAccessLevels() {
    #expect(ModelProbe(FileModel.self).slots == Array(0..<9))
    #expect(ModelProbe(FinalModel.self).names.suffix(2) == ["more", "last"])
    let object = FileModel()
    object.more3 = 90
    object.shared = 10
    #expect([object.shared, object.more, object.more2, object.more3] == [10, 7, 8, 90])
  }

  @Test func nestedClassesWork() {
    #expect(ModelProbe(Internal.Nested.Deeper.self).names == ["value", "other"])
    #expect(ModelProbe(Internal.Extended.self).names == ["value", "other"])
    #expect(ModelProbe(Internal.PlainExtended.self).names == ["value", "other"])
    #expect(Internal.PlainExtended().other == 2)
  }
}
