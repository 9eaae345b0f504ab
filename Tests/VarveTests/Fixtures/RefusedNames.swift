// Wrong names and types in typed queries. The compiler must name the property.

import Varve

@Model final class Item: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var count = 0
  @Persisted var link: Item?
}

func wrongNames(_ realm: Realm) {
  // expected-error@+1 {{value of type 'Query<Item>' has no dynamic member 'cuont'}}
  _ = realm.objects(Item.self).where { $0.cuont == 1 }
  // expected-error@+1 {{value of type 'Query<Item>' has no dynamic member 'nmae'}}
  _ = realm.objects(Item.self).where { $0.nmae == "a" }
  // expected-error@+1 {{value of type 'Query<Item?>' has no dynamic member 'nmae'}}
  _ = realm.objects(Item.self).where { $0.link.nmae == "a" }
}

func wrongTypes(_ realm: Realm) {
  // expected-error@+1 {{cannot be applied to operands of type 'Query<String>' and 'Int'}}
  _ = realm.objects(Item.self).where { $0.name == 1 }
}
