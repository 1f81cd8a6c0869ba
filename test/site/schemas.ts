import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/** What tells whether a value is what an OpenAPI document calls a name. */
export function validatorsOf(openApi: {
  readonly components: object;
}): (name: string) => ValidateFunction {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
  addFormats.default(ajv);
  // The keyword under which OpenAPI keeps its schemas; to JSON Schema it means nothing.
  ajv.addKeyword("components");
  const { components } = openApi;
  return (name) => ajv.compile({ $ref: `#/components/schemas/${name}`, components });
}
