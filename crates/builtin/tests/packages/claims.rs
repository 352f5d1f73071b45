//! Ordering of the package kinds.

use uphold_builtin::{AptKey, AptRepository, AptUpdate, Package, SignedBy};
use uphold_resource::{AbsolutePath, Claim, Claims, Properties, Resource, Want};

fn claims<R: Properties>(resource: &R) -> Claims {
    let mut claims = Claims::default();
    resource.claims(&mut claims);
    claims
}

fn comes_after(upper: &Claims, lower: &Claims) -> bool {
    let depends = upper.needs.iter().any(|need| lower.provided().any(|claim| claim == need));
    depends || upper.follows.iter().any(|claim| lower.leads.contains(claim))
}

#[test]
fn orders_keys_repositories_lists_and_packages() {
    let key = claims(&AptKey::named("x").expect("a name"));
    let signed_by = Want::Set(Some(SignedBy::from("/etc/apt/keyrings/x.asc")));
    let repository = claims(&AptRepository { signed_by, ..AptRepository::named("x").expect("a name") });
    let update = claims(&AptUpdate::named("daily").expect("a name"));
    let package = claims(&Package::named("nginx").expect("a name"));
    let order = [key, repository, update, package];
    for (at, upper) in order.iter().enumerate() {
        assert!(order[..at].iter().all(|lower| comes_after(upper, lower)), "{at}");
        assert!(!order[at..].iter().any(|other| comes_after(upper, other)), "{at}");
    }
}

#[test]
fn a_package_provides_paths() {
    let ships = vec![AbsolutePath::new("/usr/share/nginx").expect("a path")];
    let package = claims(&Package { ships, ..Package::named("nginx:amd64").expect("a name") });
    let path = |path: &str| Claim::Path(path.into());
    for claim in [Claim::Package("nginx".into()), path("/etc/nginx"), path("/usr/share/nginx")] {
        assert!(package.provides.contains(&claim), "{claim}");
        assert!(!package.needs.contains(&claim), "{claim}");
    }
    assert_eq!(package.holds, []);
    // Otherwise no repository could come before apt itself.
    let apt = claims(&Package::named("apt").expect("a name"));
    assert!(!apt.provides.contains(&path("/etc/apt")));
}

#[test]
fn a_repository_claims_its_file() {
    let repository = claims(&AptRepository::named("x").expect("a name"));
    assert_eq!(repository.holds, [Claim::Path("/etc/apt/sources.list.d/x.sources".into())]);
}
