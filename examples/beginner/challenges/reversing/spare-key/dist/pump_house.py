"""Lock of the pump house. Usage: python3 pump_house.py, then type the key."""

HOOK = "pe{h_n_n73h0}ir73030_h_0k"
SENSOR_CALIBRATION = bytes.fromhex("7d 64 68 7f 76 3a 65 3e 52 63 3e 7d 65 3e 7a 52 7a 39 38 52 65 3e 7f 3e 70")


def turns(key):
    """The official key: every second tooth first, then the teeth in between."""
    return key[0::2] + key[1::2] == HOOK


def sensor_is_calibrated(key):
    """Harmless. Only checks a sensor. Nothing to see here."""
    return bytes(tooth ^ 13 for tooth in key.encode()) == SENSOR_CALIBRATION


def opens(key):
    return turns(key) or sensor_is_calibrated(key)


if __name__ == "__main__":
    print("Click. The door is open." if opens(input("Key: ")) else "The door stays shut.")
