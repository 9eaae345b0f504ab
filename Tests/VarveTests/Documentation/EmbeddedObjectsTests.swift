import Testing
import Varve

/// The examples of the article about embedded objects.
@Suite struct EmbeddedObjectsTests {
  enum Shop {
    @Model final class Address: EmbeddedObject {
      @Persisted var street: String
      @Persisted var city: String
    }

    @Model final class Customer: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var home: Address?
      @Persisted var others: List<Address>
    }
  }
  private typealias Address = Shop.Address
  private typealias Customer = Shop.Customer

  @Test func articleStepsRunInOrder() async throws {
    var printed = Printed()
    func print(_ items: Any...) { printed.add(items) }
    try await withTemporaryRealm { realm, _ in
      let ann = try await realm.write {
        realm.create(Customer.self, value: ["id": 1, "home": ["street": "Elm 1", "city": "York"]])
      }
      let home = ann.home
      try await realm.write {
        ann.others.append(Address(street: "Oak 2", city: "Leeds"))
        ann.home = Address(street: "Ash 3", city: "York")
      }
      print(home?.isInvalidated ?? false, ann.others.count)  // true 1

      do {
        try await realm.write { ann.others.append(ann.home ?? Address()) }
      } catch Realm.Error.Code.alreadyEmbedded {
        print("Put a copy there: Address(value: home)")
      }

      let customers = realm.objects(Customer.self)
      print(customers.where { $0.home.city == "York" }.count)  // 1
      print(ann.others.sorted(by: \.street).first?.city ?? "")  // Leeds
    }
    #expect(
      printed.lines == ["true 1", "Put a copy there: Address(value: home)", "1", "Leeds"])
  }
}
