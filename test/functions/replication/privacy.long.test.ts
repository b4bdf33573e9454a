import { describePosPrivacy } from "./describePosPrivacy.ts";

describePosPrivacy(1);
