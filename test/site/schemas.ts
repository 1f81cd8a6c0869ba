import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/** Compiles validators of the named schemas of an OpenAPI document. */
export function validatorsOf(openApi: {
  readonly components: object;
}): (name: string) => ValidateFunction {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
  addFormats.default(ajv);
  // An OpenAPI keyword, unknown to JSON Schema.
  ajv.addKeyword("components");
  const { components } = openApi;
  return (name) => ajv.compile({ $ref: `#/components/schemas/${name}`, components });
}
