/** Images that products refer to. */
import { Type } from "@fastify/type-provider-typebox";
import { productImage } from "../../payments/product-image.ts";
import type { App } from "../context.ts";

/** An image changes only with the program. */
const cachedSeconds = 86_400;

export async function assetsRoutes(scope: App): Promise<void> {
  scope.get(
    "/assets/products/:imageId.svg",
    {
      schema: {
        operationId: "readProductImage",
        summary: "A product's image",
        description: "Its initials on a colour; an address always shows the same picture.",
        tags: ["Assets"],
        params: Type.Object({ imageId: Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,63}$" }) }),
        response: { 200: { description: "The image.", content: { "image/svg+xml": { schema: Type.String() } } } },
      },
      config: { produces: "image/svg+xml", refusals: ["REQUEST_INVALID"] },
    },
    async (request, reply) =>
      reply
        .type("image/svg+xml; charset=utf-8")
        .header("cache-control", `public, max-age=${cachedSeconds}`)
        // Shown by other sites' pages, and never more than a picture.
        .header("cross-origin-resource-policy", "cross-origin")
        .send(productImage(request.params.imageId)),
  );
}
