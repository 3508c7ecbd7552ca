//! Lists of routes. Of each list two functions are made: one for the router that serves them, one
//! for their description. The program embeds the description, so the code that makes it is used by
//! tests alone and the linker leaves it out.

use axum::Router;
use axum::handler::Handler;
use axum::routing::MethodRouter;
use utoipa_axum::PathItemExt;

use crate::node::state::App;

/// Routes that are served.
#[derive(Default)]
pub struct Routes {
    pub router: Router<App>,
    /// The path template of each.
    pub templates: Vec<String>,
}

impl Routes {
    /// Adds the handler of the operation `P`, at its path and for its methods.
    pub fn add<P: utoipa::Path, H, T>(mut self, handler: H) -> Self
    where
        H: Handler<T, App>,
        T: 'static,
    {
        let path = P::path();
        let filters = P::methods().into_iter().map(|method| method.to_method_filter());
        let handlers = filters
            .fold(MethodRouter::new(), |handlers, filter| handlers.on(filter, handler.clone()));
        self.router = self.router.route(&path, handlers);
        self.templates.push(path);
        self
    }

    /// These routes and those of `other`.
    pub fn merge(mut self, other: Self) -> Self {
        self.templates.extend(other.templates);
        Self { router: self.router.merge(other.router), ..self }
    }
}

/// Makes the functions `$served` and `$described` of a list of handlers.
macro_rules! routes {
    (
        $(#[$doc:meta])*
        $served:ident, $described:ident: $($module:ident::$handler:ident),+ $(,)?
    ) => {
        $(#[$doc])*
        pub fn $served() -> $crate::api::routes::Routes {
            utoipa_axum::paste! {
                $crate::api::routes::Routes::default()
                    $(.add::<$module::[<__path_ $handler>], _, _>($module::$handler))+
            }
        }

        $(#[$doc])*
        pub fn $described() -> utoipa_axum::router::OpenApiRouter<$crate::node::state::App> {
            utoipa_axum::router::OpenApiRouter::new()
                $(.routes(utoipa_axum::routes!($module::$handler)))+
        }
    };
}

pub(super) use routes;
